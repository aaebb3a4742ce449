import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import {
  kindsOf,
  REFUSED,
  rulingsOf,
  SERVED,
  servingCore,
  servingCounterparts,
} from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { blindModelsRefuseImages, imageShapesObserved, misplacedImagesRefused } from './images.ts';
import { textPartsObserved, messageShapesObserved } from './message-shapes.ts';

const faithful = servingCounterparts(REFUSED);

/** A chat without parts: the counterpart of any other. */
const isPlain = ({ body }: Draft): boolean => !String(body).includes('[{"type"');

const OBSERVATIONS = [imageShapesObserved, textPartsObserved, messageShapesObserved];

test.each(OBSERVATIONS)(
  '$id: observes what is served and what is refused, and nothing without both',
  async (check) => {
    const services = [() => SERVED, servingCore(REFUSED), () => REFUSED, servingCore({ status: 500 })];
    const kinds = await Promise.all(services.map((service) => kindsOf(check, service)));
    expect(kinds).toEqual([['observed'], ['observed'], ['not-exercised'], ['inconclusive']]);
  },
);

test.each([
  ['served', () => SERVED],
  ['refused', servingCore(REFUSED)],
])('message-shapes: reports each point once, given that all are %s', async (_, service) => {
  const rulings = await rulingsOf(messageShapesObserved, service);
  const points = rulings.flatMap((ruling) => (ruling.kind === 'observed' ? ruling.observations : []));
  expect([points.length, new Set(points.map(({ point }) => point)).size]).toEqual([11, 11]);
});

const WITHOUT_VISION = infoForTest({ models: [{ id: 'small', vision: false }, { id: 'unsaid' }] });

test('image-shapes: lacks a model with vision given none that is known', () => {
  const { given } = imageShapesObserved;
  expect(given.skipReason?.(WITHOUT_VISION)).toContain('vision');
  expect(given.skipReason?.(infoForTest())).toBeUndefined();
});

test('misplaced-images-refused: can fail, but not pass, given no model with vision', async () => {
  const blind = infoForTest({ models: [{ id: 'small', vision: false }] });
  const all = await rulingsOf(misplacedImagesRefused, () => SERVED, blind);
  expect(all.map(({ kind }) => kind)).toEqual(['violated', 'violated']);
  const kept = await rulingsOf(misplacedImagesRefused, faithful, blind);
  expect(kept.map(({ kind }) => kind)).toEqual(['not-exercised', 'not-exercised']);
});

/** Serves texts, and images for these models in messages of the user. */
const seeing =
  (...ids: readonly string[]) =>
  ({ body }: Draft) => {
    const chat = String(body);
    const isMisplaced = /"role":"(?:system|assistant)","content":\[/.test(chat);
    const isSeen = !isMisplaced && ids.some((id) => chat.includes(`"model":"${id}"`));
    return isSeen || !chat.includes('"content":[') ? SERVED : REFUSED;
  };

test.each([
  ['one that serves it', ['b'], ['not-exercised', 'holds'], ['holds']],
  ['all that serve it', ['a', 'b', 'c'], ['not-exercised', 'holds'], ['not-exercised']],
  ['none that serves it', [], ['not-exercised'], ['not-exercised']],
])('an image goes to each model of unknown vision, given %s', async (_, ids, misplaced, blind) => {
  const info = infoForTest({ models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
  expect(await kindsOf(misplacedImagesRefused, seeing(...ids), info)).toEqual(misplaced);
  expect(await kindsOf(blindModelsRefuseImages, seeing(...ids), info)).toEqual(blind);
});

test('blind-models-refuse-images: lacks a model without vision given none that is known', () => {
  const { given } = blindModelsRefuseImages;
  expect(given.skipReason?.(infoForTest({ models: [{ id: 'unsaid' }] }))).toContain('without vision');
});

test('misplaced-images-refused: tries no shape that is pinned as refused, and nothing when all are', () => {
  const { given } = misplacedImagesRefused;
  const pins = {
    'image.image_url_string': 'refused',
    'image.input_image': 'refused',
    'image.source': 'refused',
  };
  const info = infoForTest({ profile: { pins } });
  const all = given.inputs(infoForTest()).examples.length;
  expect(given.inputs(info).examples.length).toBe(all / 4);
  const none = { profile: { pins: { ...pins, 'image.image_url_object': 'refused' } } };
  expect(given.inputs(infoForTest(none))).toEqual({ examples: [] });
});

test('blind-models-refuse-images: is not passed where a model with vision refuses the same images', async () => {
  const unlikeAll = (draft: Draft) => (isPlain(draft) ? SERVED : REFUSED);
  const rulings = await rulingsOf(blindModelsRefuseImages, unlikeAll);
  expect(rulings).toEqual(
    rulings.map(() => expect.objectContaining({ reason: expect.stringContaining('a model with vision') })),
  );
  const blind = infoForTest({ models: [{ id: 'small', vision: false }] });
  expect(await kindsOf(blindModelsRefuseImages, unlikeAll, blind)).toEqual(['holds']);
});

test('blind-models-refuse-images: shows other models an image too, unless every completion counts', () => {
  const { given } = blindModelsRefuseImages;
  const blind = Array.from({ length: 30 }, (_, i) => ({ id: `m-${i}`, vision: false }));
  const countOf = (info: Partial<TargetInfo>): number => given.inputs(infoForTest(info)).examples.length;
  const models: TargetInfo['models'] = [{ id: 'small', vision: false }, ...blind];
  expect([countOf({ models }) - countOf({}), countOf({ models, thrifty: true }) - countOf({})]).toEqual([
    16, 0,
  ]);
});
