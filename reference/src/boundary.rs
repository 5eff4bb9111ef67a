//! `B-SELECT-1` to `B-SELECT-5`: where the transcript is cut.

use crate::context::Context;
use crate::error::{Code, Error, Kind};
use crate::json::Value;
use crate::limits::Limits;
use crate::read::{field, integer, object};
use crate::rounds::group;
use crate::units::{self, Units};

/// What selecting a boundary is held to. It exists only with budgets that agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundaryOptions {
    target_units: Units,
    summary_max_units: Units,
    retain_recent_messages: usize,
}

impl BoundaryOptions {
    /// Reads the three options.
    ///
    /// # Errors
    /// `CONTEXT_INVALID_INPUT` when the options are no object or one is absent, `CONTEXT_INVALID_BUDGET`
    /// when one is out of range; the first in the order targetUnits, summaryMaxUnits,
    /// retainRecentMessages, then their relations (`B-SELECT-1`, `B-SELECT-2`).
    pub fn from_json(options: Value<'_>) -> Result<Self, Error> {
        let record = object(options)?;
        let target_units = read_budget(record, "targetUnits", 1)?;
        let summary_max_units = read_budget(record, "summaryMaxUnits", 1)?;
        let retain_recent_messages = read_budget(record, "retainRecentMessages", 0)?;
        check_ceiling(summary_max_units, "targetUnits", target_units)
            .map_err(|error| error.within("summaryMaxUnits"))?;
        check_ceiling(target_units, "the limit", Limits::SPEC.context_units)
            .map_err(|error| error.within("targetUnits"))?;
        let messages = Limits::SPEC.messages as u64;
        check_ceiling(retain_recent_messages, "the limit", messages)
            .map_err(|error| error.within("retainRecentMessages"))?;
        Ok(Self {
            target_units: Units::new(target_units),
            summary_max_units: Units::new(summary_max_units),
            retain_recent_messages: usize::try_from(retain_recent_messages).expect("checked against the message limit"),
        })
    }

    /// What the new context may cost, at least 1.
    pub fn target_units(&self) -> Units {
        self.target_units
    }

    /// What the summary may cost, at least 1; always reserved in full.
    pub fn summary_max_units(&self) -> Units {
        self.summary_max_units
    }

    /// How many of the newest messages must stay.
    pub fn retain_recent_messages(&self) -> usize {
        self.retain_recent_messages
    }
}

/// An integer option: absent is a fault of the input, out of range one of the budget.
pub(crate) fn read_budget(record: Value<'_>, name: &'static str, minimum: u64) -> Result<u64, Error> {
    let value = field(record, name)?;
    integer(value, minimum).map_err(|error| error.with_code(Code::InvalidBudget).within(name))
}

/// Refuses a budget above another one.
pub(crate) fn check_ceiling(value: u64, bound_name: &'static str, bound: u64) -> Result<(), Error> {
    if value <= bound {
        return Ok(());
    }
    Err(Error::new(Code::InvalidBudget, Kind::Above { value, bound_name, bound }))
}

/// The earliest end of a group at which requirements, a full summary and the retained messages fit the
/// target; `None` when there is none. It is never 0 and never inside a group.
pub fn select_boundary(context: &Context, options: &BoundaryOptions) -> Option<usize> {
    let messages = context.transcript().messages();
    let latest = messages.len().checked_sub(options.retain_recent_messages).filter(|latest| *latest > 0)?;
    // The old summary is replaced, so that it does not count.
    let fixed: Units =
        context.requirements().iter().map(units::of_requirement).sum::<Units>() + options.summary_max_units;
    let mut retained: Units = messages.iter().map(|message| units::of_message(message)).sum();
    for group in group(context.transcript()) {
        if group.end > latest {
            return None;
        }
        retained = retained - messages[group.start..group.end].iter().map(|message| units::of_message(message)).sum();
        if fixed + retained <= options.target_units {
            return Some(group.end);
        }
    }
    None
}
