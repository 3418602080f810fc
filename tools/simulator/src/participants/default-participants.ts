/** A flite voice; `pitch` above 1 is higher and faster, so that eight participants have eight voices. */
export type Voice = { name: string; flite: 'slt' | 'rms' | 'awb' | 'kal16'; pitch: number };
export type DefaultParticipant = { name: string; voice: Voice; sentences: readonly string[] };

const FLITE_VOICES: readonly Voice[] = [
  { name: 'slt', flite: 'slt', pitch: 1 },
  { name: 'rms', flite: 'rms', pitch: 1 },
  { name: 'awb', flite: 'awb', pitch: 1 },
  { name: 'kal', flite: 'kal16', pitch: 1 },
  { name: 'slt-high', flite: 'slt', pitch: 1.1 },
  { name: 'rms-low', flite: 'rms', pitch: 0.93 },
  { name: 'awb-high', flite: 'awb', pitch: 1.08 },
  { name: 'kal-low', flite: 'kal16', pitch: 0.92 },
];

const NAMES = ['Alice Martin', 'Bruno Keller', 'Callum Reid', 'Daniel Novak', 'Elena Rossi', 'Frank Weber'];
const MORE_NAMES = ['Graham Doyle', 'Henry Lindqvist'];

const SENTENCES: readonly (readonly string[])[] = [
  [
    'Good morning everyone, I would like to start with the budget for the third quarter.',
    'The marketing team asked for more money, but we still have a lot of open questions.',
    'Please send me the final numbers before Friday so that I can finish the report.',
    'I think we should move the product launch to the second week of October.',
  ],
  [
    'Thank you Alice, the new server is ready and the first tests look very good.',
    'We found a small problem with the login page, and the fix goes out this afternoon.',
    'Our customers in Germany want a faster search, so that will be our next project.',
    'The backup of the database runs every night and takes about twenty minutes.',
  ],
  [
    'From the sales side I can say that we won four new customers this month.',
    'Two of them asked for a longer contract, and I promised an answer by Monday.',
    'The price list is out of date, could somebody please check it with the lawyers.',
    'I will visit the office in London next week and bring the signed papers.',
  ],
  [
    'My group is looking for two more engineers who know something about video.',
    'We talked with seven people last week, and one of them was really strong.',
    'The training for new colleagues starts on the first day of every month.',
    'If you have a friend who wants to join us, please write me a short message.',
  ],
  [
    'The design of the mobile application is finished and waiting for your comments.',
    'Most people open the calendar first, so we put that button at the top.',
    'I changed the colors because the old ones were hard to read in the sun.',
    'Next we want to watch five customers while they use the first version.',
  ],
  [
    'The warehouse is almost full, and the next truck arrives on Wednesday morning.',
    'We should order fewer boxes this time, because the last delivery was too large.',
    'The driver told me that the road near the harbor is closed until summer.',
    'Let us count everything again at the end of the week to be sure.',
  ],
  [
    'The legal department read the contract and found three points to discuss.',
    'We need a better answer to the question of who owns the recorded data.',
    'The audit takes place in November, so all documents must be ready by then.',
    'I suggest that we meet again in two weeks and decide it together.',
  ],
  [
    'Support received ninety requests yesterday, which is half as many as last year.',
    'Most questions are about the invoice, and the new help page answers them well.',
    'One customer could not hear the sound, and a restart solved the problem.',
    'I am very happy with the team, everybody worked hard during the holidays.',
  ],
];

/** Sentences of further languages, in the letters that flite speaks. */
const FURTHER_SENTENCES = {
  de: [
    'Guten Morgen zusammen, heute sprechen wir zuerst ueber das neue Projekt.',
    'Die Zahlen vom letzten Monat sind besser als wir gedacht haben.',
    'Bitte schickt mir eure Fragen bis Freitag, dann antworte ich sofort.',
  ],
  fr: [
    'Bonjour tout le monde, nous allons commencer par le calendrier.',
    'Les clients de Lyon demandent une livraison plus rapide.',
    'Je propose de parler du contrat la semaine prochaine.',
  ],
  es: [
    'Buenas tardes, hoy vamos a revisar los resultados del trimestre.',
    'El equipo de Madrid necesita dos personas para el proyecto.',
    'La fecha de entrega es el lunes y todo debe estar listo.',
  ],
} as const;
export const languages = ['en', 'de', 'fr', 'es'] as const;

/** The default sentences of a participant who speaks this language. */
export function sentencesOf(index: number, language: (typeof languages)[number] = 'en'): readonly string[] {
  return language === 'en' ? defaultParticipant(index).sentences : FURTHER_SENTENCES[language];
}

/** How many participants have a default name and default sentences; more need to be named by the caller. */
export const DEFAULT_PARTICIPANT_LIMIT = SENTENCES.length;

export function defaultParticipant(index: number): DefaultParticipant {
  const names = [...NAMES, ...MORE_NAMES];
  return {
    name: names[index] ?? `Person ${index + 1}`,
    voice: voiceOf(index),
    sentences: SENTENCES[index % SENTENCES.length] ?? [],
  };
}

export function voiceOf(index: number): Voice {
  const [first] = FLITE_VOICES;
  if (first === undefined) throw new Error('There is no voice.');
  return FLITE_VOICES[index % FLITE_VOICES.length] ?? first;
}
