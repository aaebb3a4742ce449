import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { type Answer, type KeyName, KEY_NAMES } from '../model/exchange.ts';
import { secretPlace } from '../model/exchange.ts';
import type { RunOptions, Target } from '../model/run.ts';
import type { Sender } from '../model/stimulus.ts';
import type { Summary } from '../model/summary.ts';
import type { Profile, ListedModel, TargetInfo } from '../model/target.ts';
import { bufferedBy } from '../network/route.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson } from '../reading/json.ts';
import { otherIdPointers } from '../reading/models/model-list.ts';
import { discoverModels, readModels, withModelIdAt } from '../reading/models/read-models.ts';
import type { Wire } from '../sending/wire.ts';
import { pageProblem, firstProblem } from './first-answer.ts';

/**
 * Reaches the target and reads what every stimulus builds on: the models of each key, cheapest first. Where records may
 * hold the ID of a model in several places (MOD-3), one reading for each, the likeliest first.
 * Throws TargetUnreachable or KeyRefused with one line that says what to do.
 */
export async function discoverTarget(
  wire: Wire,
  options: RunOptions,
): Promise<readonly [TargetInfo, ...TargetInfo[]]> {
  const { target } = options;
  const sender = wire.sender('preflight');
  const listing = await listingFor('primary', sender, target);
  const asked = await askVision(sender);
  const page = pageProblem(listing, target.baseUrl + ENDPOINTS.models);
  if (page !== undefined && target.profile.model === undefined && !isOfService(asked))
    throw new TargetUnreachable(page);
  const vision = asked !== undefined && isSuccess(asked) ? asked : undefined;
  if (isNoList(listing, target.profile))
    return [withoutList({ listing, vision, second: undefined }, options)];
  const models = modelsFrom(listing, vision, target.profile);
  const second = target.keys.second === undefined ? undefined : await listingFor('second', sender, target);
  const answers = { listing, vision, second };
  return [
    { ...infoFrom(answers, target.profile, options), models },
    ...otherPlaces(listing, target.profile).map((modelIdAt) => {
      const profile = withModelIdAt(target.profile, modelIdAt);
      const info = infoFrom(answers, profile, options);
      return { ...info, profile: target.profile, modelIdAt, models: modelsFrom(listing, vision, profile) };
    }),
  ];
}

/** Where else the list may hold IDs, unless the profile says something of them. */
function otherPlaces(listing: Answer, profile: Profile): readonly string[] {
  if (profile.model !== undefined || profile.pins?.['models.id'] !== undefined) return [];
  const reading = readModels(listing, profile);
  return reading.kind === 'models' ? otherIdPointers(reading.list) : [];
}

interface Answers {
  readonly listing: Answer;
  readonly vision: Answer | undefined;
  readonly second: Answer | undefined;
}

function infoFrom(
  answers: Answers,
  profile: Profile,
  { target, control, caps, runs }: RunOptions,
): Omit<TargetInfo, 'models'> {
  const second = answers.second && discoverModels(answers.second, answers.vision, profile);
  const by = bufferedBy(target.baseUrl, target.network);
  return {
    profile,
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
    ...(second?.kind === 'models' && { secondModels: second.models }),
    control: control !== undefined,
    ...(by !== undefined && { bufferedBy: by }),
    outputTokens: caps.outputTokens,
    thrifty: typeof runs === 'string',
  };
}

/** What is no list in any shape is the service's failure (SVC-2), and the run says so; the profile may name a model. */
function isNoList(listing: Answer, profile: Profile): boolean {
  return profile.model === undefined && readModels(listing, profile).kind === 'no-list';
}

const UNKNOWN: ListedModel = { id: 'unknown' };

function withoutList(answers: Answers, options: RunOptions): TargetInfo {
  const info = infoFrom(answers, options.target.profile, options);
  return { ...info, models: [UNKNOWN], hasNoList: true };
}

/** What the models endpoint answers to a key. */
async function listingFor(name: KeyName, sender: Sender, target: Target): Promise<Answer> {
  const url = target.baseUrl + ENDPOINTS.models;
  const credential = { kind: 'key', name } as const;
  const { outcome } = await sender.send({ method: 'GET', path: ENDPOINTS.models, credential });
  const proxy = bufferedBy(target.baseUrl, target.network);
  const login = secretPlace('proxyAuth', target.secrets);
  const problem = firstProblem(outcome, {
    url,
    key: secretPlace(`keys.${name}`, target.secrets),
    proxy,
    login,
  });
  if (problem?.isOfKey === true) throw new KeyRefused(problem.line);
  if (problem !== undefined || outcome.kind !== 'answered')
    throw new TargetUnreachable(problem?.line ?? `no answer from ${url}`);
  return outcome.answer;
}

/** The checks of the vision endpoint say what is wrong with its answer. */
async function askVision(sender: Sender): Promise<Answer | undefined> {
  const { outcome } = await sender.send({ method: 'GET', path: ENDPOINTS.vision });
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}

/**
 * A page in place of the list comes from the service (SVC-2) where its other endpoint answers with JSON. Where that is
 * a page too, a login or a web site stands at the address.
 */
function isOfService(answer: Answer | undefined): boolean {
  return answer !== undefined && readJson(answer).kind === 'json';
}

function modelsFrom(listing: Answer, vision: Answer | undefined, profile: Profile): TargetInfo['models'] {
  const discovered = discoverModels(listing, vision, profile);
  const named: ListedModel[] = profile.model === undefined ? [] : [{ id: profile.model }];
  const [cheapest, ...others] = discovered.kind === 'models' ? discovered.models : named;
  if (cheapest !== undefined && (profile.model ?? cheapest.id) === cheapest.id) return [cheapest, ...others];
  if (discovered.kind !== 'models') {
    throw new TargetUnreachable(
      `no model ID can be read from the models endpoint (${discovered.reason}): name a model in a profile ("model"), or pin "models.list" and "models.id"`,
    );
  }
  throw new TargetUnreachable(
    profile.model === undefined
      ? 'the models endpoint lists no models for this key: there is nothing to test'
      : `the models endpoint does not list the profile's model ${JSON.stringify(profile.model)}`,
  );
}

/** A run could not begin. */
abstract class CannotBegin extends Error {
  /** From which its reports are made. */
  summary?: Summary;
}

/** The target is unreachable, or does not answer the first request of the run. */
export class TargetUnreachable extends CannotBegin {
  override readonly name = 'TargetUnreachable';
}

/** The target answers, and refuses a key the run was given. */
export class KeyRefused extends CannotBegin {
  override readonly name = 'KeyRefused';
}
