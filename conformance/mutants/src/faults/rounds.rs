//! Faults of `B-ROUND`: where a Tool round ends, what merges, and what is a group.

use super::UNCHECKED_LINKAGE;
use crate::registry::Mutant;
use crate::stages::Stages;
use seamcheck_reference::{Code, Group, GroupKind, Message, Transcript, group};

/// Why more clauses may stop these mutants.
const WHY: &str = "groups decide where a boundary may stand and what a trimmer keeps";

const fn grouping(group: fn(&Transcript) -> Vec<Group>) -> Stages {
    Stages { group, compaction: UNCHECKED_LINKAGE, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "round-ends-at-first-result",
        description: "a round ends at the first result of its calls",
        must: &["B-ROUND-1"],
        may: may![WHY;
            "B-TEXT-3" "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"
        ],
        stages: grouping(|transcript| tile(transcript, |index| answers(transcript, index).min(), Merge::All)),
    },
    Mutant {
        name: "round-results-must-follow",
        description: "a round ends where anything but its results stands",
        must: &["B-ROUND-1"],
        may: may![WHY; "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"],
        stages: grouping(|transcript| {
            tile(
                transcript,
                |index| {
                    answers(transcript, index)
                        .zip(index + 1..)
                        .take_while(|(at, due)| at == due)
                        .map(|(at, _)| at)
                        .last()
                },
                Merge::All,
            )
        }),
    },
    Mutant {
        name: "round-not-merged",
        description: "rounds that overlap are not merged",
        must: &["B-ROUND-2"],
        may: may![WHY; "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"],
        stages: grouping(|transcript| tile(transcript, |index| answers(transcript, index).max(), Merge::None)),
    },
    Mutant {
        name: "round-merged-once",
        description: "rounds that overlap are merged, but not with what overlaps those",
        must: &["B-ROUND-2"],
        may: may![WHY; "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"],
        stages: grouping(|transcript| tile(transcript, |index| answers(transcript, index).max(), Merge::Once)),
    },
    Mutant {
        name: "round-user-splits",
        description: "a user message inside a round is a group by itself",
        must: &["B-ROUND-2"],
        may: may![WHY; "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"],
        stages: grouping(|transcript| {
            let is_user = |index: usize| matches!(&*transcript.messages()[index], Message::User(_));
            let mut groups: Vec<Group> = Vec::new();
            for whole in group(transcript) {
                for index in whole.start..whole.end {
                    let alone = is_user(index) || whole.kind == GroupKind::Message;
                    match groups.last_mut() {
                        Some(last) if !alone && index > whole.start && !is_user(index - 1) => last.end = index + 1,
                        _ => {
                            let kind = if alone { GroupKind::Message } else { GroupKind::ToolRound };
                            groups.push(Group { kind, start: index, end: index + 1 });
                        }
                    }
                }
            }
            groups
        }),
    },
    Mutant {
        name: "round-touching-merged",
        description: "rounds that only touch are merged",
        must: &["B-ROUND-2"],
        may: may![WHY; "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-*"],
        stages: grouping(|transcript| joined(group(transcript), GroupKind::ToolRound)),
    },
    Mutant {
        name: "round-messages-joined",
        description: "messages in a row are one group",
        must: &["B-ROUND-3"],
        may: may![WHY;
            "B-TEXT-1" "B-LIMIT-7" "B-LIMIT-8" "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*"
            "B-STATE-*" "B-TRIM-*"
        ],
        stages: grouping(|transcript| joined(group(transcript), GroupKind::Message)),
    },
    Mutant {
        name: "round-without-calls",
        description: "an assistant message without calls is called a round",
        must: &["B-ROUND-3"],
        may: may![WHY; "B-ROUND-1" "B-ROUND-2"],
        stages: grouping(|transcript| {
            let mut groups = group(transcript);
            for group in &mut groups {
                if matches!(&*transcript.messages()[group.start], Message::Assistant(_)) {
                    group.kind = GroupKind::ToolRound;
                }
            }
            groups
        }),
    },
    Mutant {
        name: "round-estimate-ceiling",
        description: "messages alone are held to the ceiling on a whole context",
        must: &["B-ROUND-4"],
        may: may![WHY; "B-LIMIT-7" "B-LIMIT-8"],
        stages: Stages { messages_ceiling: true, ..Stages::SPEC },
    },
    Mutant {
        name: "round-fault-as-input",
        description: "faults in messages alone are reported as invalid input",
        must: &["B-ROUND-4"],
        may: &[],
        stages: Stages {
            messages_code: |error| {
                if error.code() == Code::InvalidTranscript { Code::InvalidInput } else { error.code() }
            },
            ..Stages::SPEC
        },
    },
];

/// Which rounds carry the end of a round further out.
#[derive(Clone, Copy)]
enum Merge {
    All,
    /// Those that start within its own reach.
    Once,
    None,
}

/// Where the results of a message's calls stand, in their order.
fn answers(transcript: &Transcript, index: usize) -> impl Iterator<Item = usize> {
    let messages = transcript.messages();
    let calls: Vec<_> = messages[index].tool_calls().map(|call| &call.id).collect();
    let results = messages.iter().enumerate().skip(index + 1).filter(move |(_, message)| match &***message {
        Message::ToolResult(result) => calls.contains(&&result.tool_call_id),
        Message::User(_) | Message::Assistant(_) => false,
    });
    results.map(|(index, _)| index)
}

/// Groups that tile the transcript, with rounds that reach to `last` of their first message.
fn tile(transcript: &Transcript, last: impl Fn(usize) -> Option<usize>, merge: Merge) -> Vec<Group> {
    let length = transcript.messages().len();
    let calls = |index: usize| transcript.messages()[index].tool_calls().next().is_some();
    let mut groups = Vec::new();
    let mut start = 0;
    while start < length {
        let own_end = last(start).map_or(start + 1, |last| last + 1);
        let mut end = own_end;
        let mut inside = start + 1;
        while inside
            < match merge {
                Merge::All => end,
                Merge::Once => own_end,
                Merge::None => 0,
            }
        {
            end = end.max(last(inside).map_or(end, |last| last + 1));
            inside += 1;
        }
        let kind = if calls(start) { GroupKind::ToolRound } else { GroupKind::Message };
        groups.push(Group { kind, start, end });
        start = end;
    }
    groups
}

/// Joins neighbours of one kind.
fn joined(groups: Vec<Group>, kind: GroupKind) -> Vec<Group> {
    let mut joined: Vec<Group> = Vec::new();
    for group in groups {
        match joined.last_mut() {
            Some(last) if last.kind == kind && group.kind == kind => last.end = group.end,
            _ => joined.push(group),
        }
    }
    joined
}
