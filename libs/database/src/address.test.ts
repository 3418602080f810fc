import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { assertOwnSessions, assertSession, readDatabaseAddress } from './address.ts';

const base = 'postgres://user:p%40ss@db.example.com:5432/app';
/** The TLS settings that the driver derives from an address. */
const tlsOf = (query: string) =>
  (new pg.Client({ connectionString: readDatabaseAddress(base + query) }) as unknown as { ssl: unknown }).ssl;

describe('the address of PostgreSQL', () => {
  test.each([
    ['', false],
    ['?sslmode=disable', false],
    ['?sslmode=require', { rejectUnauthorized: false }],
    ['?sslmode=no-verify', { rejectUnauthorized: false }],
    ['?sslmode=verify-full', {}],
  ])('with %p has the meaning that psql gives it', (query, ssl) => {
    expect(tlsOf(query)).toEqual(ssl);
  });

  test('keeps user, password, host, port and database', () => {
    expect(new pg.Client({ connectionString: readDatabaseAddress(`${base}?sslmode=require`) })).toMatchObject({
      user: 'user',
      password: 'p@ss',
      host: 'db.example.com',
      port: 5432,
      database: 'app',
    });
  });

  test.each([
    ['mysql://a/b', 'one URL such as postgres://'],
    ['db.example.com', 'one URL such as postgres://'],
    ['postgres://u:secret@a,b/app', 'several hosts'],
    [`${base}#x`, 'a fragment'],
    ['postgres://u:secret%zz@db.example.com/app', 'a damaged percent-encoding'],
    ['postgres://u:secret@db.example.com/a%pp', 'a damaged percent-encoding'],
    [`${base}?options=-csearch_path%3Dx`, 'the parameter options'],
    [`${base}?target_session_attrs=read-write`, 'the parameter target_session_attrs'],
    [`${base}?channel_binding=require`, 'the parameter channel_binding'],
    [`${base}?sslmode=require&sslmode=disable`, 'sslmode twice'],
    [`${base}?sslmode=prefer`, 'may leave a connection unencrypted'],
    [`${base}?sslmode=verify-ca`, 'needs sslrootcert'],
  ])('%p is refused for what is not honoured, without a secret', (address, part) => {
    let message = '';
    try {
      readDatabaseAddress(address);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain('RAPPORTEUR_DATABASE_URL');
    expect(message).toContain(part);
    expect(message).not.toMatch(/secret|p%40ss|p@ss/);
  });
});

describe('a connection to PostgreSQL', () => {
  test('that shares its session with another one is refused: a pooler in transaction mode', () => {
    expect(() => assertOwnSessions({ pid: 1 }, { pid: 2 })).not.toThrow();
    expect(() => assertOwnSessions({ pid: 1 }, { pid: 1 })).toThrow('pooler in session mode');
  });

  test('is refused with another schema or isolation than expected', () => {
    const facts = { pid: 1, schema: 'bots', isolation: 'read committed' };
    expect(() => assertSession(facts, 'bots')).not.toThrow();
    expect(() => assertSession({ ...facts, schema: 'public' }, 'bots')).toThrow('uses the schema public and not bots');
    expect(() => assertSession({ ...facts, isolation: 'serializable' }, 'bots')).toThrow('isolation serializable');
  });
});
