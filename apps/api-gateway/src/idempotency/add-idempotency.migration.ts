import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddIdempotency20261121140000 implements MigrationInterface {
  readonly name = 'AddIdempotency20261121140000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotency_keys (
        team_id uuid not null,
        -- Method and route of the document, for example POST /v2/bots.
        operation text not null,
        -- Keys may be telling: only their SHA-256 is kept.
        key_hash bytea not null constraint idempotency_keys_key_hash check (length(key_hash) = 32),
        request_hash bytea not null constraint idempotency_keys_request_hash check (length(request_hash) = 32),
        -- The same for every try of one request; handed to its owner.
        idempotency_id uuid not null,
        -- Who works on it, and until when nobody else may.
        claim_id uuid not null,
        claimed_until timestamptz not null,
        -- Null until it is answered. The answer is sealed: it may hold a secret that is shown once.
        status integer,
        headers jsonb,
        answer bytea,
        expires_at timestamptz not null,
        constraint idempotency_keys_pkey primary key (team_id, operation, key_hash),
        constraint idempotency_keys_answer check ((status is null) = (answer is null) and (status is null) = (headers is null))
      );
      create index idempotency_keys_expires_at on idempotency_keys (expires_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
