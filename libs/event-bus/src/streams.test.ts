import { describe, expect, test } from '@jest/globals';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { eventDefinitions, runnerSubjects } from '@rapporteur/contracts';
import { durableNameOf } from './consumer.ts';
import { ensureStream, holds, streamOf } from './streams.ts';

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

test('a response of the server that dropped or changed a setting does not hold it', () => {
  const wanted = { max_age: 5, subjects: ['a.>'] };
  expect(holds({ name: 'A', max_age: 5, subjects: ['a.>'] }, wanted)).toBe(true);
  expect(holds({ name: 'A', max_age: 5 }, wanted)).toBe(false);
  expect(holds({ name: 'A', max_age: 6, subjects: ['a.>'] }, wanted)).toBe(false);
});

const stream = { name: 'THINGS', subjects: ['things.v1.>'] };
const missing = new JetStreamApiError({ code: 404, err_code: 10_059, description: 'stream not found' });
const overlap = new JetStreamApiError({
  code: 400,
  err_code: 10_065,
  description: 'subjects overlap with an existing stream',
});

/** A server on which another client creates the stream after `info` was requested the first time; null: none does. */
function racingServer(other: Partial<StreamConfig> | null): JetStreamManager {
  let infos = 0;
  let given: Partial<StreamConfig> | undefined;
  const streams = {
    info: async () => {
      infos += 1;
      if (infos === 1 || other === null) throw missing;
      return { config: { ...given, ...other } };
    },
    add: async (wanted: Partial<StreamConfig>) => {
      given = wanted;
      throw overlap;
    },
  };
  return { streams } as unknown as JetStreamManager;
}

test('a stream that another service creates in the same moment is there', async () => {
  await expect(ensureStream(racingServer({}), stream)).resolves.toBeUndefined();
});

test('a stream that cannot be created is an error, and so is one with other settings', async () => {
  await expect(ensureStream(racingServer(null), stream)).rejects.toBe(overlap);
  await expect(ensureStream(racingServer({ max_msgs: 1 }), stream)).rejects.toThrow(/did not keep the settings/);
});
