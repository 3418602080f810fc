import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSso20261121200000 implements MigrationInterface {
  readonly name = 'CreateSso20261121200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table platform_credentials (
        credential_id uuid not null constraint platform_credentials_pkey primary key,
        team_id uuid not null,
        name text not null,
        credential_type text not null constraint platform_credentials_type check (credential_type in ('app', 'user')),
        client_id text not null,
        client_secret bytea,
        refresh_token bytea,
        access_token bytea,
        access_token_expires_at timestamptz,
        zoom_user_id text,
        zoom_account_id text,
        zoom_email text,
        zoom_display_name text,
        scopes text,
        state text not null constraint platform_credentials_state check (state in ('active', 'invalid')),
        last_error_message text,
        last_error_at timestamptz,
        extra jsonb,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz,
        constraint platform_credentials_alive check ((deleted_at is null) = (client_secret is not null)),
        constraint platform_credentials_consent check (
          (refresh_token is not null) = (credential_type = 'user' and deleted_at is null)),
        constraint platform_credentials_access check ((access_token is null) = (access_token_expires_at is null)),
        constraint platform_credentials_error check ((last_error_message is null) = (last_error_at is null))
      );
      create index platform_credentials_newest on platform_credentials (team_id, created_at, credential_id);
      create index platform_credentials_user on platform_credentials (team_id, zoom_user_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
