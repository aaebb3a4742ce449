import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import { type Answer, type KeyName, secretPlace } from '../model/exchange.ts';
import type { RunOptions, Target } from '../model/run.ts';
import type { Sender } from '../model/stimulus.ts';
import type { ListedModel, Readings, TargetInfo } from '../model/target.ts';
import { bufferedBy } from '../network/route.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson } from '../reading/json.ts';
import { otherIdPointers } from '../reading/models/model-list.ts';
import { discoverModels, type ModelPins, readListing } from '../reading/models/read-models.ts';
import type { Wire } from '../sending/wire.ts';
import { firstAnswer, pageProblem, TargetUnreachable } from './first-answer.ts';
import { infoBefore } from './planned-draws.ts';

/**
 * Reaches the target and reads what every stimulus builds on: the models of each key, cheapest first.
 * Throws TargetUnreachable or KeyRefused with one line that says what to do.
 */
export async function discoverTarget(wire: Wire, options: RunOptions): Promise<Readings> {
  const { target } = options;
  const { profile } = target;
  const sender = wire.sender('preflight');
  const listing = await listingFor('primary', sender, target);
  const { outcome } = await sender.send({ method: 'GET', path: ENDPOINTS.vision });
  // The checks of the vision endpoint say what is wrong with its answer.
  const asked = outcome.kind === 'answered' ? outcome.answer : undefined;
  const vision = asked !== undefined && isSuccess(asked) ? asked : undefined;
  requireService(listing, asked, target);
  const by = bufferedBy(target.baseUrl, target.network);
  const before = { ...infoBefore(options), ...(by !== undefined && { bufferedBy: by }) };
  const reading = readListing(listing, { profile });
  // What is no list in any shape is the service's failure (SVC-2), and the run says so; the profile may name a model.
  if (profile.model === undefined && reading.kind === 'no-list')
    return [{ ...before, models: [{ id: 'unknown' }], hasNoList: true }];
  const second = target.keys.second === undefined ? undefined : await listingFor('second', sender, target);
  const infoWith = (place: Pick<TargetInfo, 'modelIdAt'>): TargetInfo => {
    const known = { profile, ...place };
    const read = second && discoverModels(second, vision, known);
    const secondModels = read?.kind === 'models' ? { secondModels: read.models } : {};
    return { ...before, ...secondModels, ...place, models: modelsFrom(listing, vision, known) };
  };
  // Where else the list may hold IDs, unless the profile says something of them.
  const isOpen = profile.model === undefined && profile.pins?.['models.id'] === undefined;
  const others = isOpen && reading.kind === 'models' ? otherIdPointers(reading.list) : [];
  return [infoWith({}), ...others.map((modelIdAt) => infoWith({ modelIdAt }))];
}

/** What the models endpoint answers to a key. */
async function listingFor(name: KeyName, sender: Sender, target: Target): Promise<Answer> {
  const { baseUrl, network, secrets } = target;
  const credential = { kind: 'key', name } as const;
  const { outcome } = await sender.send({ method: 'GET', path: ENDPOINTS.models, credential });
  return firstAnswer(outcome, {
    url: baseUrl + ENDPOINTS.models,
    key: secretPlace(`keys.${name}`, secrets),
    proxy: bufferedBy(baseUrl, network),
    login: secretPlace('proxyAuth', secrets),
  });
}

/**
 * A page in place of the list comes from the service (SVC-2) where its other endpoint answers with JSON. Where that is
 * a page too, a login or a web site stands at the address.
 */
function requireService(listing: Answer, other: Answer | undefined, { baseUrl, profile }: Target): void {
  const page = pageProblem(listing, baseUrl + ENDPOINTS.models);
  const isOfService = other !== undefined && readJson(other).kind === 'json';
  if (page !== undefined && profile.model === undefined && !isOfService) throw new TargetUnreachable(page);
}

function modelsFrom(listing: Answer, vision: Answer | undefined, known: ModelPins): TargetInfo['models'] {
  const { profile } = known;
  const discovered = discoverModels(listing, vision, known);
  const named: ListedModel[] = profile.model === undefined ? [] : [{ id: profile.model }];
  const [cheapest, ...others] = discovered.kind === 'models' ? discovered.models : named;
  if (cheapest !== undefined && (profile.model ?? cheapest.id) === cheapest.id) return [cheapest, ...others];
  if (discovered.kind !== 'models')
    throw new TargetUnreachable(
      `no model ID can be read from the models endpoint (${discovered.reason}): name a model in a profile ("model"), or pin "models.list" and "models.id"`,
    );
  throw new TargetUnreachable(
    profile.model === undefined
      ? 'the models endpoint lists no models for this key: there is nothing to test'
      : `the models endpoint does not list the profile's model ${JSON.stringify(profile.model)}`,
  );
}
