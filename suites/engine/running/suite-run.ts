import { type Draw, drawsOf } from '../inputs/draws.ts';
import { type PartOfRun, passesOf } from '../inputs/passes.ts';
import { chatDraft, smallestChat } from '../inputs/provoking/chat-drafts.ts';
import { rememberedFirst } from '../inputs/remembered-draws.ts';
import { TrialRecord } from '../journal/write-journal.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import type { RememberedFailure } from '../model/remembered.ts';
import { notExercised, type Ruling, asError } from '../model/ruling.ts';
import { areKnown, type Pass, rememberedIn, type RunOptions } from '../model/run.ts';
import { isReading, isSendable, WITHHELD, skipReasonOf, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { requestFingerprint } from '../sending/sent-request.ts';
import type { Wire } from '../sending/wire.ts';
import { isCut, Tally } from '../summary/tally.ts';
import { judgeDraw } from './judge-draw.ts';
import { judgeInvariants, tallyExchanges } from './judge-invariants.ts';
import { Standings } from './standings.ts';

/** The part of a run that sends: what failed before, pass by pass, and then towards the simplest failures. */
export class SuiteRun {
  readonly tallies: ReadonlyMap<Check, Tally>;
  /** The draws of each stimulus that were sent, in the order of the plan. */
  readonly sent = new Map<Stimulus, Draw[]>();
  readonly trials: TrialRecord;
  readonly counts = { begun: 0, cut: 0, unsent: 0 };
  readonly #options: RunOptions;
  readonly #wire: Wire;
  readonly #info: TargetInfo;
  readonly #standings: Standings;
  /** The end of the latest draw of each stimulus. */
  readonly #latest = new Map<Stimulus, Promise<void>>();
  readonly #checksOf: ReadonlyMap<Stimulus, readonly Check[]>;
  readonly #judged = new Map<Draw, JudgedDraw>();
  readonly #remembered: readonly RememberedFailure[];

  constructor(options: RunOptions, wire: Wire, info: TargetInfo) {
    this.#options = options;
    this.trials = new TrialRecord(options.journal, wire.redactor.value);
    this.#wire = wire;
    this.#info = info;
    const judged = options.judges === undefined ? options.checks : [];
    this.tallies = new Map(judged.map((each) => [each, new Tally()]));
    this.#checksOf = Map.groupBy(options.checks, (each) => each.given);
    this.#remembered = rememberedIn(options);
    this.#standings = new Standings(this.#checksOf, options, info);
  }

  /**
   * Sends everything, pass by pass: what failed in earlier runs first. What failed in the first pass gets its second inputs
   * after those of all others; then comes what only observes, and last what is known to fail.
   */
  async sendAll(): Promise<void> {
    const plans = new Map([...this.#checksOf.keys()].map((each) => [each, this.#planned(each)]));
    const parts = passesOf(plans, {
      isOpen: (stimulus) => this.#checksOf.get(stimulus)?.every(({ level }) => level === 'open') === true,
      isKnown: (stimulus) => areKnown(this.#checksOf.get(stimulus) ?? [], this.#options.known),
      costOf: (draw) => draw.cost(this.#info),
      isRemembered: (draw) => draw.isRemembered === true,
    });
    const draws = parts.flatMap((part) => part.draws);
    this.trials.plan(draws);
    const standings = this.#standings;
    await this.#sendAgain(of('again', parts));
    await this.#sendParts(of('first', parts), () => false, plans);
    await this.#sendParts(of('second', parts), (each) => standings.isPutBack(each));
    const rest = [...of('second', parts), ...of('open', parts), ...of('known', parts)];
    await this.#sendParts(rest, (each) => standings.isSettled(each));
    const unsent = (draw: Draw): boolean => !this.#judged.has(draw) && !standings.isSettled(draw.stimulus);
    if (this.#isEnding) this.counts.unsent = draws.filter(unsent).length;
    // Counted in the order of the plan, so that reports do not depend on the order of arrival.
    for (const draw of draws) this.#count(draw, this.#judged.get(draw));
  }

  async #sendAgain(parts: readonly PartOfRun<Draw>[]): Promise<void> {
    if (parts.length === 0) return;
    await this.#sendParts(parts, (each) => this.#standings.isSpoilt(each));
    if (this.#isEnding || this.#options.onSentAgain === undefined) return;
    const { record, redactor } = this.#wire;
    const rulings = judgeInvariants(this.#options.invariants, record, this.#info, redactor.ruling);
    const broken = [...rulings].filter(([, all]) => tallyExchanges(all).failures.length > 0);
    const failed = [...this.#standings.failed, ...broken.map(([invariant]) => invariant)].map(({ id }) => id);
    const before = new Set(this.#remembered.map(({ check }) => check));
    this.#options.onSentAgain(failed.filter((id) => before.has(id)));
  }

  /** The smallest completion, if any of these draws needs it: if it fails, little was spent. */
  async #smallestFirst(draws: readonly Draw[]): Promise<void> {
    const smallest = chatDraft(smallestChat(this.#info));
    const print = requestFingerprint(smallest);
    const isNeeded = draws.some((draw) =>
      draw.cost(this.#info).counterparts?.some((counterpart) => requestFingerprint(counterpart) === print),
    );
    if (isNeeded && !this.#isEnding) {
      // A failure of ours is that of every draw that needs it.
      await this.#wire
        .sender('smallest')
        .sendCounterpart(smallest)
        .catch(() => {});
    }
  }

  /** Read before every draw: nothing more is sent once the run was interrupted or its journal failed. */
  get isOver(): boolean {
    return this.#wire.closed !== undefined;
  }

  /** Read before every draw: whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures, known } = this.#options;
    if (maxFailures === undefined) return false;
    const failed = this.#standings.failed.filter(({ id }) => known?.checks.has(id) !== true);
    return failed.length >= maxFailures;
  }

  get #isEnding(): boolean {
    return this.isOver || this.hasFailedEnough;
  }

  #planned(stimulus: Stimulus): readonly Draw[] {
    const { seed, runs, allow, withholds } = this.#options;
    try {
      const reason = skipReasonOf(stimulus, this.#info, allow);
      if (reason !== undefined) {
        this.#rule(stimulus, notExercised(reason));
        return [];
      }
      const drawn = drawsOf(stimulus, this.#info, seed, runs);
      const draws = rememberedFirst(drawn, stimulus, this.#info, this.#remembered).filter(
        (draw) => withholds === undefined || isSendable(draw.cost(this.#info)),
      );
      // Should it throw, then here, where the failure has its checks.
      for (const draw of draws) draw.cost(this.#info);
      if (draws.length === 0 && withholds !== undefined) this.#rule(stimulus, notExercised(WITHHELD));
      return draws;
    } catch (error) {
      this.#rule(stimulus, asError(error));
      return [];
    }
  }

  /** `more`: the plan of each stimulus, to go on where its first draws decide nothing. */
  async #sendParts(
    parts: readonly PartOfRun<Draw>[],
    isSkipped: (stimulus: Stimulus) => boolean,
    more?: Plans,
  ): Promise<void> {
    for (const part of parts) {
      const unsent = part.draws.filter((draw) => !this.#judged.has(draw) && !isSkipped(draw.stimulus));
      const { reading, together, reusing, alone } = partsOf(unsent, this.#info);
      const sending = { part, isSkipped, more, total: unsent.length, done: 0 };
      await this.#send(reading, this.#options.concurrency, sending);
      if (part.pass === 'again' || (part.pass === 'first' && part.stage === 'free'))
        await this.#smallestFirst(together);
      await this.#send(together, this.#options.concurrency, sending);
      await this.#send(reusing, this.#options.concurrency, sending);
      await this.#send(alone, 1, sending);
    }
  }

  async #send(draws: readonly Draw[], width: number, sending: Sending): Promise<void> {
    const queue = draws[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const draw of queue) {
        const ended = this.#inTurn(draw, sending);
        this.#latest.set(draw.stimulus, ended);
        await ended;
        sending.done += 1;
        this.#progress(draw, sending);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
  }

  /** A draw waits for the one before it where that may settle its checks. */
  async #inTurn(draw: Draw, { isSkipped, more }: Sending): Promise<void> {
    if (more !== undefined || this.#standings.waits(draw.stimulus)) await this.#latest.get(draw.stimulus);
    if (this.#isEnding || isSkipped(draw.stimulus)) return;
    this.#judged.set(draw, await this.#judge(draw));
    const plan = more?.get(draw.stimulus) ?? [];
    for (let next = plan.indexOf(draw) + 1; next > 0 && next < plan.length; next += 1) {
      const another = plan[next];
      if (another === undefined || this.#isEnding || !this.#standings.needsAnother(draw.stimulus)) return;
      this.#judged.set(another, await this.#judge(another));
    }
  }

  async #judge(draw: Draw): Promise<JudgedDraw> {
    const checks = (this.#checksOf.get(draw.stimulus) ?? []).filter((each) => this.tallies.has(each));
    const judged = await judgeDraw(draw, checks, this.#wire, this.#info);
    this.trials.add(judged);
    this.#standings.note(draw, judged);
    return judged;
  }

  #rule(stimulus: Stimulus, unredacted: Ruling | Error): void {
    const ruling = this.#wire.redactor.ruling(unredacted);
    const checks = this.#checksOf.get(stimulus) ?? [];
    const rulings = checks.map((check) => [check, ruling] as const);
    const { name } = stimulus;
    this.trials.add({ id: name, stimulus: name, trial: { exchanges: [] }, missing: ruling, rulings });
    for (const check of checks) this.tallies.get(check)?.add(ruling, { exchanges: [] });
  }

  #count(draw: Draw, judged: JudgedDraw | undefined): void {
    if (judged === undefined) return;
    this.counts.begun += 1;
    const sent = this.sent.get(draw.stimulus);
    if (sent === undefined) this.sent.set(draw.stimulus, [draw]);
    else sent.push(draw);
    if (isCut(judged.trial)) this.counts.cut += 1;
    for (const [check, ruling] of judged.rulings) {
      const tally = this.tallies.get(check);
      tally?.add(ruling, judged.trial, draw);
      tally?.addInput(judged.trial, judged.exampleCount);
    }
  }

  #progress({ stimulus }: Draw, { part, done, total }: Sending): void {
    const { pass, stage } = part;
    const { spent } = this.#wire.budget;
    this.#options.onProgress?.({ pass, stage, stimulus: stimulus.name, done, total, spent });
  }
}

type Plans = ReadonlyMap<Stimulus, readonly Draw[]>;

/** A part of the run that is being sent. */
interface Sending {
  readonly part: PartOfRun<Draw>;
  readonly isSkipped: (stimulus: Stimulus) => boolean;
  readonly more: Plans | undefined;
  readonly total: number;
  done: number;
}

function of(pass: Pass, parts: readonly PartOfRun<Draw>[]): readonly PartOfRun<Draw>[] {
  return parts.filter((part) => part.pass === pass);
}

/** The draws of one stage, in the order in which they are sent. */
interface PartsOfStage {
  /** Of stimuli that cost nothing in any of their draws. */
  readonly reading: readonly Draw[];
  /** Sent side by side. */
  readonly together: readonly Draw[];
  /** Sent side by side once those are answered. */
  readonly reusing: readonly Draw[];
  /** Sent one by one. */
  readonly alone: readonly Draw[];
}

function partsOf(draws: readonly Draw[], info: TargetInfo): PartsOfStage {
  const costly = new Set(draws.filter((draw) => !isReading(draw.cost(info))).map(({ stimulus }) => stimulus));
  const others = draws.filter(({ stimulus }) => costly.has(stimulus));
  return {
    reading: draws.filter(({ stimulus }) => !costly.has(stimulus)),
    together: others.filter(({ stimulus }) => stimulus.alone !== true && stimulus.reuses !== true),
    reusing: others.filter(({ stimulus }) => stimulus.alone !== true && stimulus.reuses === true),
    alone: others.filter(({ stimulus }) => stimulus.alone === true),
  };
}
