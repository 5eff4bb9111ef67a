//! Drawing plans from bytes: the one distribution behind `Arbitrary`, the proptest strategy and seeds. When
//! the bytes run out every choice is the first, so that short inputs give small plans and nothing fails.

mod compaction;
mod message;
mod value;

use crate::compaction::CompactionPlan;
use crate::fault::FaultPlan;
use crate::id::IdPlan;
use crate::plan::{Count, Fill, Loose, Plan, RecordPlan, RequirementPlan, SummaryPlan};
use crate::settings::Settings;
use crate::text::{Fragment, STRINGS, TextPlan, UNITS, WORDS};
use arbitrary::{Arbitrary, Unstructured};
use seamcheck_reference::Text;

/// Of 100 texts, how many are nothing but space.
const BLANK_PERCENT: u8 = 4;

/// What can be drawn from bytes under some settings.
pub trait Generate: Sized {
    /// Draws a value. Total: bytes that run out read as zero.
    fn generate(bytes: &mut Unstructured<'_>, settings: &Settings) -> Self;
}

/// Drawn with [`Settings::DEFAULT`].
impl<'a> Arbitrary<'a> for Plan {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::generate(bytes, &Settings::DEFAULT))
    }
}

/// Drawn with [`Settings::DEFAULT`].
impl<'a> Arbitrary<'a> for CompactionPlan {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::generate(bytes, &Settings::DEFAULT))
    }
}

/// Drawn with [`Settings::DEFAULT`], which do not matter here.
impl<'a> Arbitrary<'a> for FaultPlan {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::generate(bytes, &Settings::DEFAULT))
    }
}

/// Two drawn one after the other, for checks that need both.
impl<A: Generate, B: Generate> Generate for (A, B) {
    fn generate(bytes: &mut Unstructured<'_>, settings: &Settings) -> Self {
        // The second comes first: a long plan may use up the bytes.
        let second = B::generate(bytes, settings);
        (A::generate(bytes, settings), second)
    }
}

impl Generate for Plan {
    fn generate(bytes: &mut Unstructured<'_>, settings: &Settings) -> Self {
        let mut source = Source { bytes, settings };
        let fills = if source.percent(settings.fill_percent) { source.fills() } else { Vec::new() };
        let loose = settings.loose.then(|| Loose { open_calls: source.small(3) });
        let requirements = (0..source.count(settings.requirements)).map(|_| source.requirement()).collect();
        let summary = source.percent(50).then(|| SummaryPlan { id: source.id(), content: source.text() });
        let records = (0..source.count(settings.records)).map(|_| source.record()).collect();
        Self { requirements, summary, steps: source.steps(), records, fills, loose }
    }
}

/// Bytes to draw from, and how.
pub(crate) struct Source<'s, 'b> {
    pub(crate) bytes: &'s mut Unstructured<'b>,
    pub(crate) settings: &'s Settings,
}

impl Source<'_, '_> {
    /// A number below `bound`; 0 when there is nothing to choose or nothing left to choose by.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.bytes.int_in_range(0..=bound.saturating_sub(1)).unwrap_or(0)
    }

    /// True so many times of 100; false when the bytes have run out.
    pub(crate) fn percent(&mut self, percent: u8) -> bool {
        self.below(100) >= 100 - usize::from(percent.min(100))
    }

    pub(crate) fn any<T: for<'x> Arbitrary<'x> + Default>(&mut self) -> T {
        T::arbitrary(self.bytes).unwrap_or_default()
    }

    /// A number up to `most`.
    pub(crate) fn small(&mut self, most: u8) -> u8 {
        u8::try_from(self.below(usize::from(most) + 1)).unwrap_or(most)
    }

    /// A number up to `most`: mostly a few, sometimes many.
    pub(crate) fn count(&mut self, most: usize) -> usize {
        let bound = match self.below(10) {
            0..=5 => most.min(3),
            6..=8 => most.div_ceil(4),
            _ => most,
        };
        self.below(bound + 1)
    }

    fn fills(&mut self) -> Vec<Fill> {
        let chosen: u8 = self.any();
        let mut fills: Vec<Fill> = Fill::ALL
            .into_iter()
            .enumerate()
            .filter(|(place, _)| chosen >> place & 1 == 1)
            .map(|(_, fill)| fill)
            .collect();
        if fills.is_empty() {
            fills.push(Fill::ALL[self.below(Fill::ALL.len())]);
        }
        fills
    }

    fn requirement(&mut self) -> RequirementPlan {
        RequirementPlan { id: self.id(), content: self.text() }
    }

    fn record(&mut self) -> RecordPlan {
        let (id, summary_id) = (self.id(), self.id());
        let message_ids = (0..self.count(12)).map(|_| self.id()).collect();
        RecordPlan { id, summary_id, message_ids, units_before: self.number(), units_after: self.number() }
    }

    fn number(&mut self) -> Count {
        match self.below(8) {
            0..=1 => Count::Zero,
            2..=6 => Count::Of(self.any()),
            _ => Count::Largest,
        }
    }

    /// An id: mostly a fresh one.
    pub(crate) fn id(&mut self) -> IdPlan {
        if !self.percent(self.settings.odd_id_percent) {
            return IdPlan::Fresh;
        }
        match self.below(5) {
            0..=1 => IdPlan::Odd(self.any()),
            2..=3 => IdPlan::Earlier(self.any()),
            _ => IdPlan::Text(self.text()),
        }
    }

    /// A text of a few fragments, sometimes none, sometimes nothing but space.
    pub(crate) fn text(&mut self) -> TextPlan {
        if self.percent(BLANK_PERCENT) {
            let blanks: Vec<usize> =
                (0..STRINGS.len()).filter(|place| Text::from(STRINGS[*place]).is_blank()).collect();
            let place = blanks[self.below(blanks.len())];
            return TextPlan(vec![Fragment::Hostile(u8::try_from(place).unwrap_or_default())]);
        }
        let fragments = self.below(self.settings.fragments + 1);
        TextPlan((0..fragments).map(|_| self.fragment()).collect())
    }

    fn fragment(&mut self) -> Fragment {
        if !self.percent(self.settings.hostile_percent) {
            return Fragment::Word(self.small_index(WORDS.len()));
        }
        match self.below(20) {
            0..=14 => Fragment::Hostile(self.small_index(STRINGS.len() + UNITS.len())),
            15..=17 => Fragment::Unit(self.any()),
            _ => Fragment::Run {
                entry: self.small_index(WORDS.len() + STRINGS.len() + UNITS.len()),
                times: u32::try_from(self.count(usize::try_from(self.settings.run_length).unwrap_or(usize::MAX)))
                    .unwrap_or(0),
            },
        }
    }

    fn small_index(&mut self, bound: usize) -> u8 {
        u8::try_from(self.below(bound)).unwrap_or(u8::MAX)
    }
}
