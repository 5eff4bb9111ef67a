//! The one generator of Seamcheck: for tests, for fuzzing, and for the runner.
//!
//! | from | to | by |
//! |---|---|---|
//! | [`Settings`] and bytes, a seed or proptest | a [`Plan`] | [`Generate`], [`from_seed`], [`drawn`] |
//! | a [`Plan`] | a [`Built`] context with its planted facts | [`Plan::build`], total |
//! | a [`Built`] and [`FaultPlan`]s | a faulty context with its verdict | [`plant`] |
//! | a [`CompactionPlan`] and the check's own count | options and an answer | [`BudgetPlan::resolve`], [`AnswerPlan::build`] |
//! | any of these plans that fails | a smaller one | [`Shrink`], [`shrink`](fn@shrink) |
//!
//! A plan is a recipe and not a transcript: every plan builds, so that taking anything out of it leaves a plan. Of
//! the reference only the IR, texts, JSON and the limits are used: what judges the stages must not call them.

mod build;
mod built;
mod compaction;
mod decoy;
mod fault;
mod feature;
mod generate;
mod id;
mod ledger;
mod plan;
mod raw;
mod seed;
mod settings;
mod shrink;
mod strategy;
mod text;
mod value;

pub use built::{Built, PlantedCall, PlantedRound};
pub use compaction::{
    AnswerPlan, Budget, BudgetPlan, CompactionPlan, Counted, Delta, Fit, Retain, SummarySize, Threshold,
};
pub use decoy::add_decoys;
pub use fault::{Fault, FaultPlan, Finding, Planted, Refusal, near, plant};
pub use feature::Feature;
pub use generate::Generate;
pub use id::IdPlan;
pub use plan::{
    AssistantPlan, BlockPlan, CallPlan, Count, Fill, Loose, Pick, Plan, RecordPlan, RequirementPlan, ResultPlan, Step,
    SummaryPlan, UserPlan,
};
pub use raw::{RawJson, Seg};
pub use seed::from_seed;
pub use settings::Settings;
pub use shrink::{Progress, Shrink, shrink};
pub use strategy::{Drawn, Tree, drawn};
pub use text::{Fragment, TextPlan};
pub use value::{KeyPlan, ValuePlan};
