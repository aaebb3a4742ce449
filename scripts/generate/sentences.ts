import { faker as arabic } from '@faker-js/faker/locale/ar';
import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as japanese } from '@faker-js/faker/locale/ja';
import { faker as russian } from '@faker-js/faker/locale/ru';
import { faker as chinese } from '@faker-js/faker/locale/zh_CN';

type Faker = typeof english;
type Phrase = (city: string, name: string, month: string) => string;

/** The text to which every sample shrinks. */
const SMALLEST_TEXT = 'Hi.';

const PER_LANGUAGE = 40;
const SEED = 20_011;

/** Sentences of one language, the same in every process. */
function sentences(faker: Faker, phrases: readonly Phrase[]): readonly string[] {
  faker.seed(SEED);
  return Array.from({ length: PER_LANGUAGE }, () =>
    faker.helpers.arrayElement(phrases)(faker.location.city(), faker.person.firstName(), faker.date.month()),
  );
}

const ENGLISH: readonly Phrase[] = [
  (city, name) => `Is ${city} 100% worth a visit, ${name}?`,
  (city, name, month) => `Is ${month} a good time to visit ${city}? ${name} would like to know.`,
  (city, name) => `Write one line to ${name}, who has just moved to ${city}.`,
  (_, name, month) => `Remind "${name}" of the meeting in ${month};\nkeep it short & friendly.`,
];
const GERMAN: readonly Phrase[] = [
  (city, name) => `Was kann ${name} in ${city} an einem Regentag tun?`,
  (city, _, month) => `Wie warm ist es im ${month} in ${city}? Bitte nur ein kurzer Satz für Gäste.`,
];
const RUSSIAN: readonly Phrase[] = [
  (city, name) => `Как проще всего добраться до города ${city}? Спрашивает ${name}.`,
  (city, _, month) => `Какая погода в городе ${city} в это время года (${month})?`,
];
const CHINESE: readonly Phrase[] = [
  (city, name) => `${name}想去${city}旅行，请推荐一个地方。`,
  (city, _, month) => `${city}${month}的天气怎么样？`,
];
const JAPANESE: readonly Phrase[] = [
  (city, name) => `${name}さんは${city}に引っ越しました。一言お祝いを書いてください。`,
  (city, _, month) => `${month}の${city}は寒いですか？`,
];
const ARABIC: readonly Phrase[] = [
  (city, name) => `ماذا يمكن أن يزور ${name} في ${city}؟`,
  (city, _, month) => `كيف يكون الطقس في ${city} خلال شهر ${month}؟`,
];

/** Short, harmless texts by the way they are written: `fixtures/chats/sentences.json`. */
export function sentencesToWrite(): Readonly<Record<string, readonly string[]>> {
  return {
    latin: [SMALLEST_TEXT, ...sentences(english, ENGLISH), ...sentences(german, GERMAN)],
    cyrillic: sentences(russian, RUSSIAN),
    'east-asian': [
      ...sentences(chinese, CHINESE),
      ...sentences(japanese, JAPANESE),
      '안녕하세요, 오늘 날씨가 어때요?',
      '서울에서 부산까지 얼마나 걸립니까?',
    ],
    'south-asian': ['สวัสดีครับ วันนี้อากาศเป็นอย่างไร', 'नमस्ते, आज मौसम कैसा है?', 'வணக்கம், எப்படி இருக்கிறீர்கள்?'],
    'right-to-left': [
      ...sentences(arabic, ARABIC),
      'שלום, מה שלומך היום?',
      'How do I say שלום עולם in العربية?',
    ],
    emoji: [
      '👋🙂',
      'Which fits better, 🌧️ or ☀️?',
      '👩‍👩‍👧‍👦 🇯🇵 👍🏽 1️⃣',
      'Good morning ☕ — «¿qué tal?» ½ × π ≈ 1.57…',
    ],
  };
}
