// What the page and the server send each other. Written by tools/page_types.py from the server's models: do not edit.

/** An order was obeyed. */
export interface Accepted {
  id: number | null;
}

/** A search that can be looked into. */
export interface AlgorithmTitle {
  name: string;
  title: string;
}

/** Analyse a node once and report progress to this client. */
export interface Analyse {
  id?: number | null;
  do: "analyse";
  node: number;
  seconds?: number;
  depth?: number | null;
  lines?: number | null;
}

/** An analysis of a node, with texts. */
export interface AnalysisView {
  node: number;
  game: string;
  position: string;
  to_move: number;
  agent: string;
  seed: number | null;
  value: (number | null)[];
  kind: "exact" | "lower" | "upper" | "estimate";
  best: string | null;
  line: string[];
  distance: number | null;
  distance_kind?: string;
  error?: number;
  moves: MoveView[];
  stats: Record<string, any>;
  limit: Record<string, any>;
  stopped: string;
  notes: string[];
  headline: string;
  about: string;
  why: string;
  chance: number | null;
  first: string;
  short: string;
}

/** A picture with cells that can be touched. */
export interface Board {
  svg: string;
  cells: string[];
  touches: Record<string, number[]>;
  last: number[];
  aliases: Record<string, number>;
  colours: string[];
  turning: "never" | "possible" | "usual";
}

/** The time of each side for the whole game, and what every move adds to it, in seconds. */
export interface ClockSettings {
  seconds: number;
  increment?: number;
}

/** The clock of a game when this was sent. */
export interface ClockState {
  seconds: number;
  increment: number;
  left: number[];
  running: number | null;
  loser: number | null;
}

/** A line of pseudocode, and the steps in which it is the current one. */
export interface CodeLine {
  text: string;
  steps: ("begin" | "terminal" | "horizon" | "stand pat" | "enter max" | "enter min" | "enter chance" | "call max" | "call min" | "call chance" | "known outcome" | "probe max" | "probe min" | "probe low" | "probe high" | "cut max" | "cut min" | "cut low" | "cut high" | "return" | "return chance" | "roll" | "select" | "expand" | "simulate" | "back up" | "enter set" | "call own" | "call other" | "mean" | "regret" | "match" | "answer")[];
}

/** An order on the socket. The reply names its `id`, if it has one. */
export interface Command {
  id?: number | null;
}

/** What the decisions of a finished game cost. */
export interface Costs {
  about: string;
  unit: string;
  totals: number[];
  decisions: DecisionCost[];
}

/** The curve of another method, to be drawn beside the new one. */
export interface CurveBeside {
  method: "cfr" | "cfr+" | "dcfr" | "pcfr+";
  points: number[][];
}

/** Why a branch is cut: a value and the bound that it meets, if there are any. */
export interface CutReason {
  kind: "alpha" | "beta" | "left" | "never" | "replied" | "quiet" | "unneeded";
  value: number | null;
  bound: number | null;
}

/** A decision of a finished game. */
export interface DecisionCost {
  ply: number;
  player: number;
  seat: string;
  view: string;
  move: string;
  probability: number;
  cost: number;
  best: string;
  words: string;
}

/** Analyse every position that the game comes to for this client, from now on or no longer. */
export interface Follow {
  id?: number | null;
  do: "follow";
  is_on: boolean;
}

/** The declarations of a game. */
export interface GameFacts {
  key: string;
  name: string;
  title: string;
  summary: string;
  group: string;
  players: number;
  seats: string[];
  begins: number | null;
  zero_sum: boolean;
  chance: boolean;
  hidden: boolean;
  parameters: Parameter[];
  agents: string[];
  agent_titles: Record<string, string>;
  levels: string[];
  scoresheet: string;
}

/** Go to a node. */
export interface Go {
  node: number;
  id?: number | null;
  do: "go";
}

/** A node of the session's tree to go to. */
export interface GoTo {
  node: number;
}

/** The total number of simulations. */
export interface Grow {
  game?: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  algorithm: "auto" | "minimax" | "alphabeta" | "quiescence" | "expectiminimax" | "star1" | "star2" | "maxn" | "maxn-shallow" | "paranoid" | "bestreply" | "expectimax" | "mcts";
  depth?: number | null;
  seed?: number;
  simulations: number;
}

/** The tree after a number of simulations. */
export interface GrownTree {
  items: TreeItem[];
  simulations: number;
  size: number;
  way: number[];
  payoffs: (number | null)[] | null;
  steps: ("begin" | "terminal" | "horizon" | "stand pat" | "enter max" | "enter min" | "enter chance" | "call max" | "call min" | "call chance" | "known outcome" | "probe max" | "probe min" | "probe low" | "probe high" | "cut max" | "cut min" | "cut low" | "cut high" | "return" | "return chance" | "roll" | "select" | "expand" | "simulate" | "back up" | "enter set" | "call own" | "call other" | "mean" | "regret" | "match" | "answer")[];
  is_compiling: boolean;
}

/** A Monte Carlo tree search, which grows. */
export interface GrowthFacts {
  game: string;
  algorithm: string;
  is_tree: boolean;
  seats: string[];
  range: (number | null)[];
  unit: number;
  unit_name: string;
  algorithms: AlgorithmTitle[];
  pseudocode: CodeLine[];
  most: number;
  exploration: number;
}

/** The position after a line of the tree. */
export interface InsideBoard {
  line: string[];
  node: number;
  to_move: number;
  mover: string;
  is_over: boolean;
  outcome: string;
  text: string;
  board: Board;
}

/** Event: a node has a new judgement. */
export interface Judged {
  node: number;
  judgement: Judgement;
}

/** The value of a node by the last search. */
export interface Judgement {
  value: (number | null)[];
  kind: string;
  text: string;
  short: string;
  chance: number | null;
  best: string | null;
  depth: number | null;
  line: string[];
}

/** Counterfactual regret minimisation, step by step. */
export interface LearningRecord {
  game: string;
  title: string;
  seats: string[];
  sets: LearningSet[];
  steps: LearningStep[];
  exploitability: number[];
  pseudocode: CodeLine[];
}

/** An information set at which a player learns. */
export interface LearningSet {
  player: number;
  view: string;
  moves: string[];
}

/** What one iteration has changed at one information set; an entry for each move. */
export interface LearningStep {
  iteration: number;
  set: number;
  before: number[];
  regrets: number[];
  strategy: number[];
  average: number[];
}

/** Lift the curtain for this client: the player of the seat to move looks at it, and nobody else. */
export interface Lift {
  id?: number | null;
  do: "lift";
  seat: number;
}

/** Moves from a node that are shown but not played. */
export interface Line {
  node: number;
  moves: string[];
}

/** A search to record: the game, the position, the algorithm and the depth. */
export interface Look {
  game?: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  algorithm: "auto" | "minimax" | "alphabeta" | "quiescence" | "expectiminimax" | "star1" | "star2" | "maxn" | "maxn-shallow" | "paranoid" | "bestreply" | "expectimax" | "mcts";
  depth?: number | null;
  seed?: number;
}

/** A request about the position after some more moves. */
export interface LookAtLine {
  game?: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  algorithm: "auto" | "minimax" | "alphabeta" | "quiescence" | "expectiminimax" | "star1" | "star2" | "maxn" | "maxn-shallow" | "paranoid" | "bestreply" | "expectimax" | "mcts";
  depth?: number | null;
  seed?: number;
  line: string[];
}

/** A request about a moment. */
export interface LookAtMoment {
  game?: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  algorithm: "auto" | "minimax" | "alphabeta" | "quiescence" | "expectiminimax" | "star1" | "star2" | "maxn" | "maxn-shallow" | "paranoid" | "bestreply" | "expectimax" | "mcts";
  depth?: number | null;
  seed?: number;
  moment: number;
}

/** A request about a node. */
export interface LookAtNode {
  game?: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  algorithm: "auto" | "minimax" | "alphabeta" | "quiescence" | "expectiminimax" | "star1" | "star2" | "maxn" | "maxn-shallow" | "paranoid" | "bestreply" | "expectimax" | "mcts";
  depth?: number | null;
  seed?: number;
  node: number;
}

/** Regret minimisation to look into. */
export interface LookAtRegrets {
  game?: string;
  options?: Record<string, string>;
  iterations?: number;
  plus?: boolean;
}

/** A search that was recorded, or will grow. */
export interface LookFacts {
  game: string;
  algorithm: string;
  is_tree: boolean;
  seats: string[];
  range: (number | null)[];
  unit: number;
  unit_name: string;
  algorithms: AlgorithmTitle[];
  pseudocode: CodeLine[];
}

/** A move as text, played at a node of the session's tree; by default at the current node. */
export interface Move {
  move: string;
  node?: number | null;
}

/** A move at an information set. */
export interface MoveShare {
  move: string;
  probability: number;
  text: string;
  worth: number | null;
  is_bluff: boolean;
}

/** A move of an analysis. */
export interface MoveView {
  move: string;
  value: (number | null)[];
  kind: "exact" | "lower" | "upper" | "estimate";
  depth: number | null;
  visits?: number;
  nodes?: number | null;
  line: string[];
  distance?: number;
  distance_kind?: string;
  text: string;
  short: string;
  chance: number | null;
  probability?: number;
}

/** Event: a new move. */
export interface Moved {
  visited: number[];
  current: number;
  position: Position;
  node: TreeNode;
}

/** A new game, from its start or from a position, with moves that are played already. */
export interface NewSession {
  game: string;
  options?: Record<string, string>;
  position?: string;
  moves?: string[];
  scoresheet?: string;
  players?: Player[];
  people?: "all" | number[];
  agent?: string;
  level?: number;
  dice?: "rolled" | "chosen";
  clock?: ClockSettings | null;
}

/** The steps in which a node or a probe is entered and left, and in which it waits for a child. */
export interface NodeSteps {
  enter?: "begin" | "terminal" | "horizon" | "stand pat" | "enter max" | "enter min" | "enter chance" | "call max" | "call min" | "call chance" | "known outcome" | "probe max" | "probe min" | "probe low" | "probe high" | "cut max" | "cut min" | "cut low" | "cut high" | "return" | "return chance" | "roll" | "select" | "expand" | "simulate" | "back up" | "enter set" | "call own" | "call other" | "mean" | "regret" | "match" | "answer";
  call?: "begin" | "terminal" | "horizon" | "stand pat" | "enter max" | "enter min" | "enter chance" | "call max" | "call min" | "call chance" | "known outcome" | "probe max" | "probe min" | "probe low" | "probe high" | "cut max" | "cut min" | "cut low" | "cut high" | "return" | "return chance" | "roll" | "select" | "expand" | "simulate" | "back up" | "enter set" | "call own" | "call other" | "mean" | "regret" | "match" | "answer";
  leave: "begin" | "terminal" | "horizon" | "stand pat" | "enter max" | "enter min" | "enter chance" | "call max" | "call min" | "call chance" | "known outcome" | "probe max" | "probe min" | "probe low" | "probe high" | "cut max" | "cut min" | "cut low" | "cut high" | "return" | "return chance" | "roll" | "select" | "expand" | "simulate" | "back up" | "enter set" | "call own" | "call other" | "mean" | "regret" | "match" | "answer";
}

/** An option of a game. */
export interface Parameter {
  name: string;
  label: string;
  kind: "whole" | "number" | "switch" | "text";
  value: string;
}

/** Let neither agents nor dice move by themselves. */
export interface Pause {
  id?: number | null;
  do: "pause";
}

/** Play a move. */
export interface Play {
  move: string;
  node?: number | null;
  id?: number | null;
  do: "play";
}

/** The player at a seat: a person, or an agent at a level. */
export interface Player {
  agent: string | null;
  level: number;
}

/** The board and the legal moves at a node. */
export interface Position {
  node: number;
  to_move: number;
  mover: string;
  is_over: boolean;
  outcome: string;
  text: string;
  moves: string[];
  odds: Record<string, number>;
  spoken: string;
  board: Board;
}

/** How Star2 bounded an outcome by one reply, before its search. */
export interface Probe {
  entered: number;
  left: number | null;
  value: (number | null)[] | null;
  proof: "exact" | "lower" | "upper" | "estimate" | "lower estimate" | "upper estimate";
  steps: NodeSteps;
}

/** How far a search is that an agent or an analysis waits for. */
export interface Progress {
  node: number;
  state: "waiting" | "preparing" | "thinking" | "failed" | "done" | "stopped";
  ahead?: number;
  text?: string;
}

/** A random tree, reproducible by its seed. */
export interface RandomTree {
  seed: number;
  levels?: number;
  branches?: number;
  kind?: "max and min" | "with dice" | "three players";
}

/** A recorded search, with the top of its tree. */
export interface RecordingFacts {
  game: string;
  algorithm: string;
  is_tree: boolean;
  seats: string[];
  range: (number | null)[];
  unit: number;
  unit_name: string;
  algorithms: AlgorithmTitle[];
  pseudocode: CodeLine[];
  nodes: number;
  leaves: number;
  cuts: number;
  moments: number;
  value: (number | null)[] | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  line: string[];
  end: string;
  items: TreeItem[];
}

/** Go forward to the next turn of a person. */
export interface Redo {
  id?: number | null;
  do: "redo";
}

/** The reason for a refusal, in one sentence. */
export interface Refusal {
  error: string;
}

/** An order was not obeyed, for this reason. */
export interface Refused {
  id: number | null;
  error: string;
}

/** End a pause; at the node, the agent or the dice move although moves follow already. */
export interface Resume {
  id?: number | null;
  do: "resume";
  node?: number | null;
}

/** Analyse every position of the current line that has no judgement. */
export interface Review {
  id?: number | null;
  do: "review";
}

/** How far a review is. */
export interface ReviewProgress {
  done: number;
  total: number;
}

/** Whether agents and dice move by themselves, and the milliseconds between two of their moves. */
export interface Running {
  is_paused: boolean;
  pace: number;
}

/** A game in its standard notation: PGN, SGF …; both texts are empty if there is none. */
export interface ScoresheetText {
  name: string;
  text: string;
}

/** Event: the players or the dice have changed. */
export interface Seated {
  players: Player[];
  dice: "rolled" | "chosen";
  position: Position;
}

/** The players from now on. */
export interface Seating {
  players: Player[];
  dice?: "rolled" | "chosen";
}

/** A session with its current position. */
export interface SessionState {
  id: string;
  game: GameFacts;
  title: string;
  options: Record<string, string>;
  start: string;
  players: Player[];
  dice: "rolled" | "chosen";
  levels: string[];
  nodes: TreeNode[];
  current: number;
  position: Position;
  slips: Slip[];
  clock: ClockState | null;
  curtain: number | null;
  note: string;
}

/** The time between two moves if only agents play. */
export interface SetPace {
  id?: number | null;
  do: "set_pace";
  milliseconds: number;
}

/** An information set in the table of a strategy. */
export interface SetRow {
  player: number;
  view: string;
  reach: number;
  moves: MoveShare[];
}

/** Set the players. */
export interface Sit {
  players: Player[];
  dice?: "rolled" | "chosen";
  id?: number | null;
  do: "sit";
}

/** How bad a move is if it loses at least this share of the winning chances. */
export interface Slip {
  least: number;
  sign: string;
  word: string;
}

/** Send the whole state again: this client has missed an event. */
export interface Snapshot {
  id?: number | null;
  do: "snapshot";
}

/** A solved game. */
export interface SolutionView {
  points: number[][];
  chart: string;
  game: string;
  title: string;
  seats: string[];
  method: string;
  kind: "exact" | "estimate";
  value: string;
  about: string;
  exploitability: number;
  iterations: number;
  seconds: number;
  sets: number;
  rows: SetRow[];
  sentences: string[];
}

/** A game to solve. */
export interface Solve {
  game: string;
  options?: Record<string, string>;
  method?: "auto" | "lp" | "cfr" | "cfr+" | "dcfr" | "pcfr+";
  beside?: CurveBeside[];
}

/** How exploitable the strategies were after some iterations. */
export interface SolvingCurve {
  points: number[][];
  chart: string;
}

/** A line of the answer to a request to solve a game. */
export interface SolvingNews {
  waiting?: number;
  preparing?: string;
  analysis?: SolvingCurve;
  done?: SolutionView | null;
  error?: string;
}

/** The evaluation that counts in a quiescence search if no noisy move is better. */
export interface StandPat {
  moment: number | null;
  value: (number | null)[];
}

/** Stop this client's analysis, the review, and the agent, which plays the best move found so far. */
export interface Stop {
  id?: number | null;
  do: "stop";
}

/** A small picture of a game. */
export interface Thumbnail {
  svg: string;
  colours: string[];
}

/** A node or a cut branch of a recorded search, or a node of a growing tree, which has visits. */
export interface TreeItem {
  number: number | null;
  parent: number;
  index: number;
  kind: "max" | "min" | "chance" | "terminal" | "horizon" | "cut";
  shape?: string;
  player: number | null;
  move: string;
  probability: number | null;
  window?: (number | null)[] | null;
  value: (number | null)[] | null;
  proof: "exact" | "lower" | "upper" | "estimate" | "lower estimate" | "upper estimate";
  reason?: CutReason;
  entered?: number | null;
  left?: number | null;
  children: number;
  below?: number;
  visits?: number;
  branches?: number;
  probe?: Probe;
  stand_pat?: StandPat;
  steps?: NodeSteps;
}

/** A part of a recorded tree. */
export interface TreeItems {
  items: TreeItem[];
}

/** A move of the game or of one of its branches. */
export interface TreeNode {
  number: number;
  parent: number | null;
  move: string;
  player: number;
  next: number | null;
  judgement: Judgement | null;
}

/** A tree as text. */
export interface TreeText {
  title: string;
  text: string;
  algorithm: string;
}

/** Go back to the last turn of a person. */
export interface Undo {
  id?: number | null;
  do: "undo";
}

/** Event: another node is the current one. */
export interface Went {
  visited: number[];
  current: number;
  position: Position;
}

/** Everything: the content of a snapshot. */
export interface Whole {
  is_paused: boolean;
  pace: number;
  session: SessionState;
  review: ReviewProgress | null;
  answering: Progress | null;
  compiling: string | null;
}

/** What the page orders on the socket. */
export type Order =
  | Play
  | Go
  | Sit
  | Undo
  | Redo
  | Analyse
  | Follow
  | Stop
  | Pause
  | Resume
  | SetPace
  | Review
  | Lift
  | Snapshot;

/** The content of each event. */
export interface EventContents {
  snapshot: Whole;
  moved: Moved;
  went: Went;
  seated: Seated;
  judged: Judged;
  clock: ClockState;
  running: Running;
  review: ReviewProgress | null;
  answering: Progress | null;
  thinking: Progress;
  compiling: string | null;
  analysis: AnalysisView;
  accepted: Accepted;
  refused: Refused;
}
