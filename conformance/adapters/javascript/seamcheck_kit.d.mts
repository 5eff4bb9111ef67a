// Types of seamcheck_kit.mjs: what an adapter is. The message IR and the options are those of the spec
// (reference/SPEC/boundary.md, sections 2 and 11), the answers and capabilities those of the protocol page.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Requirement {
  id: string;
  content: string;
}

export interface Summary {
  id: string;
  content: string;
}

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ToolCallBlock {
  type: "toolCall";
  id: string;
  name: string;
  arguments: { [key: string]: Json };
}

export interface UserMessage {
  id: string;
  role: "user";
  content: string;
}

export interface AssistantMessage {
  id: string;
  role: "assistant";
  content: (TextBlock | ToolCallBlock)[];
}

export interface ToolResultMessage {
  id: string;
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: string;
  isError: boolean;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export interface CompactionRecord {
  id: string;
  summaryId: string;
  boundary: number;
  compactedMessageIds: string[];
  unitsBefore: number;
  unitsAfter: number;
}

/** A context with every field, as `inspect` gives it. */
export interface Context {
  requirements: Requirement[];
  summary: Summary | null;
  messages: Message[];
  compactions: CompactionRecord[];
}

export interface BoundaryOptions {
  targetUnits: number;
  summaryMaxUnits: number;
  retainRecentMessages: number;
}

export interface CompactOptions extends BoundaryOptions {
  maxUnits: number;
  summaryId: string;
  recordId: string;
}

/** What the implementation gives to its summarizer. One that does not give a field leaves it out. */
export interface SummaryRequest {
  requirements?: readonly Requirement[];
  previousSummary?: Summary | null;
  messages?: readonly Message[];
  boundary?: number;
  maxSummaryUnits?: number;
}

/**
 * Does what the runner says, each time that it is called: it returns a value, throws, or returns a promise or another
 * thenable. Whenever the runner is asked it returns a promise, so an implementation that cannot wait declares the
 * capability `summarize: "scripted"`.
 */
export type Summarize = (request: SummaryRequest) => unknown;

export type Level = "cut" | "compact" | "exact";
export type AnswerKind = "text" | "value" | "throw" | "reject" | "panic" | "chain" | "unobservable" | "pending";

/** `measure`, `native` and `rawJson` are not declared: the kit finds them in the adapter and in the options. */
export interface Capabilities {
  /** What `cut` keeps; `subset` by default. */
  keeps?: "suffix" | "subset" | "parts";
  summarize?: "callback" | "scripted";
  /**
   * The kinds of answer that the implementation is to be tried with; `text` alone by default. Declare `chain` only
   * where it counts thenables that settle with thenables: `await` follows them without an end.
   */
  answers?: AnswerKind[];
  /** `at-look` where it reads `signal.aborted`, `async` where it listens to `abort` or looks while it waits. */
  cancel?: ("at-look" | "async")[];
}

export interface Declaration {
  /** Name and version of the implementation, not of the adapter. */
  name: string;
  version: string;
  levels: Level[];
  capabilities?: Capabilities;
  /** `JavaScript` by default. */
  language?: string;
  /** How many cases it can hold at once; 8 by default. */
  maxInFlight?: number;
}

/** One kept message of `cut`. */
export interface Kept {
  /** Its place in the input; for an invented message, the number of input messages or more. */
  index: number;
  id?: string;
  message?: Message;
  /** With `keeps: "parts"`: the blocks that are kept, all if absent. */
  blocks?: number[];
}

export interface Compacted<Live> {
  status: "unchanged" | "compacted";
  /** The live context that came out; when unchanged, the very one that went in. */
  live: Live;
  record?: CompactionRecord | null;
}

export type Diagnostic = [code: string, index: number];
export type Group = [kind: "message" | "toolRound", start: number, end: number];
type Awaitable<T> = T | PromiseLike<T>;

/**
 * An implementation as the kit calls it. What comes in is any JSON; the types say what a valid input has. Every
 * method may throw a `Refusal`; any other error is answered as a fault of the adapter (-32603), its stack on stderr.
 * An object that is `{json: string}` and nothing else goes out as a raw payload.
 */
export interface Adapter<Live = unknown> {
  declaration: Declaration;
  /** Level `cut`. The budget is in the implementation's own count, which `measure` gives. */
  cut?(messages: Message[], budget: number): Awaitable<Kept[]>;
  measure?(messages: Message[]): Awaitable<number>;
  /** Level `compact`. */
  build?(context: Partial<Context>): Awaitable<Live>;
  /** Reads the live object now; no copy that was made before. */
  inspect?(live: Live): Awaitable<Context>;
  /** A digest over every field of the live object; equal objects give equal digests. */
  native?(live: Live): Awaitable<string>;
  /**
   * `signal` is a real AbortSignal. Each read of `signal.aborted` and each `signal.throwIfAborted()` is one look; what
   * reads the signal in another way (a listener, AbortSignal.any) sees the same state and is not counted.
   */
  compact?(live: Live, options: CompactOptions, summarize: Summarize, signal: AbortSignal): Awaitable<Compacted<Live>>;
  /** Level `exact`. */
  units?(context: Partial<Context>): Awaitable<number>;
  groups?(messages: Message[]): Awaitable<Group[]>;
  diagnose?(messages: Message[]): Awaitable<Diagnostic[]>;
  boundary?(context: Partial<Context>, options: BoundaryOptions): Awaitable<number | null>;
}

export type RefusalCode =
  | "CONTEXT_INVALID_INPUT"
  | "CONTEXT_INVALID_TRANSCRIPT"
  | "CONTEXT_LIMIT_EXCEEDED"
  | "CONTEXT_INVALID_BUDGET"
  | "CONTEXT_SUMMARY_INVALID"
  | "CONTEXT_SUMMARY_INSUFFICIENT"
  | "CONTEXT_BOUNDARY_UNAVAILABLE"
  | "CONTEXT_CANCELLED"
  | "CONTEXT_SUMMARIZER_FAILED"
  | "CONTEXT_ASYNC_VALUE_UNOBSERVABLE"
  | "not-json"
  | "unknown-handle"
  | "unsupported"
  | "refused";

/** The implementation says no. `message` is for people. */
export class Refusal extends Error {
  constructor(code: RefusalCode, message?: string);
  readonly code: RefusalCode;
}

export interface ServeOptions {
  /** Parses raw payloads, and throws where there is no JSON; it declares `rawJson`. `JSON.parse` will do. */
  readJson?: (text: string) => unknown;
}

/** Answers on standard input and output until `shutdown`. */
export function serve<Live>(adapter: Adapter<Live>, options?: ServeOptions): void;
