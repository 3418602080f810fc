import { describe, expect, test } from '@jest/globals';
import { eventDefinitions, runnerSubjects } from '@rapporteur/contracts';
import { durableNameOf } from './consumer.ts';
import { holds, streamOf } from './streams.ts';

const subjects = [...eventDefinitions.map(({ type }) => type), runnerSubjects.report('*')];

describe('every subject of the contracts', () => {
  test('belongs to a stream', () => {
    expect(subjects.map((subject) => streamOf(subject).name)).toEqual(
      subjects.map((subject) => subject.split('.')[0]?.toUpperCase()),
    );
  });

  test('gives a durable name that JetStream takes, different for each', () => {
    const names = subjects.map((subject) => durableNameOf('bot-scheduler', subject));
    expect(names.filter((name) => /[.*>\s/\\]/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(subjects.length);
    expect(durableNameOf('a', 'bots.v1.*')).not.toBe(durableNameOf('a', 'bots.v1.>'));
  });
});

test('a subject outside all streams is a programming error', () => {
  expect(() => streamOf('weather.v1.rain')).toThrow('No stream holds the subject weather.v1.rain.');
});

test('an response of the server that dropped or changed a setting does not hold it', () => {
  const wanted = { max_age: 5, subjects: ['a.>'] };
  expect(holds({ name: 'A', max_age: 5, subjects: ['a.>'] }, wanted)).toBe(true);
  expect(holds({ name: 'A', max_age: 5 }, wanted)).toBe(false);
  expect(holds({ name: 'A', max_age: 6, subjects: ['a.>'] }, wanted)).toBe(false);
});
