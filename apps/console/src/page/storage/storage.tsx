import type { components } from '@rapporteur/sdk';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../api/client.ts';
import { Action, ActionForm } from '../elements/action.tsx';
import { Notice } from '../elements/notice.tsx';
import { Reference, Page } from '../elements/page.tsx';
import { For } from '../session/use-session.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { Time } from '../elements/time.tsx';
import { Field, textOf } from '../elements/field.tsx';

type StorageConfig = Awaited<ReturnType<typeof api.getStorageConfig>>;

/** Where the recordings of new bots are stored. */
export function Storage() {
  const config = useQuery({
    queryKey: ['storage'],
    // Null where the team has none: the console's server returns it in place of a 404.
    queryFn: ({ signal }): Promise<StorageConfig | null> => api.getStorageConfig({}, { signal }),
  });
  return (
    <Page title="Storage">
      <QueryResult query={config}>
        {(stored) => (
          <>
            {stored === null ? (
              <EmptyState title="The service stores your recordings">
                To store them in buckets of your own, enter an S3-compatible object store below. It is used for new bots
                only. See <Reference to="storage">the guide</Reference>.
              </EmptyState>
            ) : (
              <Stored config={stored} />
            )}
            <For role="admin">
              <StorageForm key={stored?.storage_config_id ?? 'none'} config={stored} />
            </For>
          </>
        )}
      </QueryResult>
      <Retention />
    </Page>
  );
}

function Stored({ config }: { readonly config: StorageConfig }) {
  const facts = [
    ['Artifacts', config.artifacts_bucket],
    ['Fragments of running recordings', config.audio_chunks_bucket],
    ['Evidence of failed bots', config.logs_bucket],
    ['Folder in the buckets', config.key_prefix || 'none'],
    ['Region', config.region],
    ['Encryption', encryptionOf(config)],
    ['Path-style addresses', config.force_path_style ? 'yes' : 'no'],
    ['Copy held by the service when an upload fails', config.allow_transient_spill ? 'yes' : 'no'],
    ['Ingest key', config.ingest_access_key_id],
    ['Service key', config.service_access_key_id],
  ] as const;
  return (
    <section className="card">
      <div className="card-head">
        <h2 className="breaks">{config.endpoint}</h2>
      </div>
      {config.last_error_message !== null && (
        <Notice kind="warn" title="The last failure">
          <p>{config.last_error_message}</p>
          <Time at={config.last_error_at} />
        </Notice>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd className="breaks">{value}</dd>
          </div>
        ))}
        <div className="fact">
          <dt>Last passed check</dt>
          <dd>
            <Time at={config.last_verified_at} />
          </dd>
        </div>
      </dl>
      <StorageActions endpoint={config.endpoint} />
    </section>
  );
}

function encryptionOf({ server_side_encryption: algorithm, kms_key_id: key }: StorageConfig): string {
  const label = encryptions.find(([name]) => name === (algorithm ?? ''))?.[1] ?? '';
  return key === null ? label : `${label}, key ${key}`;
}

function StorageActions({ endpoint }: { readonly endpoint: string }) {
  return (
    <div className="buttons">
      <Action
        role="admin"
        label="Test the access"
        act={async () => {
          const { ok, error } = await api.testStorageConfig({});
          if (!ok) throw new Error(error ?? 'The access check failed.');
          return 'Both keys have the access that they need.';
        }}
      />
      <Action
        role="admin"
        label="Use the storage of the service"
        kind="danger"
        confirm={{
          title: `Stop using ${endpoint}?`,
          text: 'What is in your buckets stays there, and the links of earlier bots keep working.',
          button: 'Remove the configuration',
        }}
        act={async () => {
          await api.deleteStorageConfig({});
          return 'The service stores new recordings.';
        }}
      />
    </div>
  );
}

/** Sets or replaces the storage configuration; the API accepts it only after it has used both keys. */
function StorageForm({ config }: { readonly config: components['schemas']['StorageConfig'] | null }) {
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: (body: components['schemas']['PutStorageConfig']) => api.putStorageConfig({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['storage'] }),
  });
  return (
    <section className="card">
      <h2>{config === null ? 'Use buckets of your own' : 'Replace the configuration'}</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          put.mutate(requestFrom((name) => textOf(form, name)));
        }}
      >
        {fieldsOf(config).map(({ name, label, hint, value, type, maxLength, optional }) => (
          <Field key={name} label={label} {...(hint === undefined ? {} : { hint })}>
            <input
              name={name}
              type={type}
              required={optional !== true}
              maxLength={maxLength}
              defaultValue={value}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ))}
        <Field label="Encryption">
          <select name="server_side_encryption" defaultValue={config?.server_side_encryption ?? ''}>
            {encryptions.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <label>
          <input type="checkbox" name="force_path_style" defaultChecked={config?.force_path_style ?? false} />{' '}
          Path-style addresses, as most self-hosted object stores need them
        </label>
        <label>
          <input type="checkbox" name="allow_transient_spill" defaultChecked={config?.allow_transient_spill ?? false} />{' '}
          The service may hold a file that the bucket does not take, until it does; without this, such a file is lost
        </label>
        {put.isError && (
          <Notice kind="fail" title="The configuration is not changed">
            {sentenceOf(put.error)}
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={put.isPending}>
            {put.isPending ? 'Checking the access…' : 'Check and save'}
          </button>
        </div>
      </form>
    </section>
  );
}

const dayText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** How long the data of bots is kept; admins choose a shorter time than the plan's. */
function Retention() {
  const settings = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }) => api.getRetentionSettings({}, { signal }),
  });
  return (
    <section className="card">
      <h2>How long data is kept</h2>
      <QueryResult query={settings}>
        {({ days, maximum_days: maximum, effective_days: effective }) => (
          <>
            <p>
              The data of a bot is deleted {dayText(effective)} after it has left.{' '}
              {days === null ? 'That is what the plan allows.' : `The plan allows ${dayText(maximum)}.`}
            </p>
            <ActionForm title="Keep data for another time" button="Save" act={save} role="admin" keeps>
              <Field label="Days" hint={`At most ${maximum}. Left empty: as long as the plan allows.`}>
                <input name="days" type="number" min={1} max={maximum} step={1} defaultValue={days ?? ''} />
              </Field>
              <label>
                <input type="checkbox" required /> Data that is older is deleted within minutes, for good, also that of
                bots that have left already.
              </label>
            </ActionForm>
          </>
        )}
      </QueryResult>
    </section>
  );
}

async function save(form: FormData): Promise<string> {
  const days = textOf(form, 'days');
  const { effective_days: effective } = await api.setRetentionSettings({
    body: { days: days === '' ? null : Number(days) },
  });
  return `Data is kept for ${dayText(effective)} now.`;
}

type PutStorageConfig = components['schemas']['PutStorageConfig'];
type Known = Partial<Omit<components['schemas']['StorageConfig'], 'storage_config_id'>>;

interface StorageField {
  readonly name: keyof PutStorageConfig;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'url' | 'password';
  readonly maxLength: number;
  readonly optional?: true;
  /** Secrets are never returned. */
  readonly value: string;
}

/** The fields of the form, filled with the present configuration. */
export function fieldsOf(known: Known | null): readonly StorageField[] {
  return [...placeFields(known), ...keyFields(known)];
}

function placeFields(known: Known | null): readonly StorageField[] {
  const bucket = { type: 'text', maxLength: 255 } as const;
  return [
    {
      name: 'endpoint',
      label: 'Address',
      hint: 'The S3 address without the bucket, for example https://s3.eu-central-1.amazonaws.com. This service must reach it.',
      type: 'url',
      maxLength: 2_048,
      value: known?.endpoint ?? '',
    },
    { name: 'region', label: 'Region', type: 'text', maxLength: 64, value: known?.region ?? '' },
    {
      name: 'artifacts_bucket',
      label: 'Bucket of recordings and transcripts',
      ...bucket,
      value: known?.artifacts_bucket ?? '',
    },
    {
      name: 'audio_chunks_bucket',
      label: 'Bucket of fragments',
      hint: 'Parts of recordings while they run. It may be the same.',
      ...bucket,
      value: known?.audio_chunks_bucket ?? '',
    },
    {
      name: 'logs_bucket',
      label: 'Bucket of evidence',
      hint: 'Screenshots and page data of failed bots. It may be the same.',
      ...bucket,
      value: known?.logs_bucket ?? '',
    },
    {
      name: 'key_prefix',
      label: 'Folder in the buckets',
      hint: 'Ends with a slash, for example recordings/. Empty: none.',
      ...bucket,
      optional: true,
      value: known?.key_prefix ?? '',
    },
    {
      name: 'kms_key_id',
      label: 'KMS key',
      hint: "Id, alias or ARN, for encryption with KMS. Empty: the account's default key.",
      type: 'text',
      maxLength: 2_048,
      optional: true,
      value: known?.kms_key_id ?? '',
    },
  ];
}

function keyFields(known: Known | null): readonly StorageField[] {
  const keyId = { type: 'text', maxLength: 256 } as const;
  const secret = { type: 'password', maxLength: 512, value: '' } as const;
  return [
    {
      name: 'ingest_access_key_id',
      label: 'Ingest key id',
      hint: 'Writes objects and aborts multipart uploads.',
      ...keyId,
      value: known?.ingest_access_key_id ?? '',
    },
    { name: 'ingest_secret_access_key', label: 'Ingest secret key', ...secret },
    {
      name: 'service_access_key_id',
      label: 'Service key id',
      hint: 'Reads, lists, writes and deletes.',
      ...keyId,
      value: known?.service_access_key_id ?? '',
    },
    { name: 'service_secret_access_key', label: 'Service secret key', ...secret },
  ];
}

/** Values and labels; empty: what the buckets do by default. */
const encryptions = [
  ['', 'as the buckets do by default'],
  ['AES256', 'SSE-S3'],
  ['aws:kms', 'SSE-KMS'],
] as const;

/** The request for the form's data; a checked box has the value `on`. */
export function requestFrom(textOf: (name: string) => string): PutStorageConfig {
  const texts = Object.fromEntries(fieldsOf(null).map(({ name }) => [name, textOf(name)]));
  const encryption = encryptions.find(([name]) => name === textOf('server_side_encryption'))?.[0] ?? '';
  return {
    ...(texts as Omit<PutStorageConfig, 'force_path_style' | 'allow_transient_spill'>),
    server_side_encryption: encryption === '' ? null : encryption,
    kms_key_id: texts['kms_key_id'] || null,
    force_path_style: textOf('force_path_style') === 'on',
    allow_transient_spill: textOf('allow_transient_spill') === 'on',
  };
}
