//! The runner of Seamcheck: it starts an adapter, puts the cases of the checks to it, and writes down what
//! holds, what does not, and what could not be seen.
//!
//! | what | where |
//! |---|---|
//! | an adapter as a process, and lines to and from it | [`command`], [`process`], [`link`] |
//! | the protocol from the runner's side, and its faults | [`session`], [`fault`] |
//! | one case; one adapter that can be started again | [`drive`], [`adapter`] |
//! | all cases, or a part of them; violations made smaller | [`run`](mod@run), [`in_flight`], [`selector`], [`shard`], [`corpus`] |
//! | what happened, tallied and written down | [`event`], [`report`], [`exit_code`] |
//! | what was expected; parts put together; cases gone through again | [`expectations`], [`merge`], [`replay`], [`reach`] |
//! | a hostile runner against a kit | [`kit_test`] |
//! | the program | [`cli`], [`app`], [`bounded`], [`built_in`], [`spec_page`], [`starter`], [`harness`] |
//!
//! Judging is not done here: that is the checks' affair.

pub mod adapter;
pub mod app;
pub mod bounded;
pub mod built_in;
pub mod cli;
pub mod command;
pub mod corpus;
pub mod drive;
pub mod event;
pub mod exit_code;
pub mod expectations;
pub mod fault;
pub mod harness;
pub mod in_flight;
pub mod kit_test;
pub mod link;
pub mod merge;
pub mod process;
pub mod reach;
pub mod replay;
pub mod report;
pub mod run;
pub mod selector;
pub mod session;
pub mod shard;
pub mod spec_page;
pub mod starter;
