import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Notice, Reference, Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { Time } from '../elements/time.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';

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
            <StorageForm key={stored?.storage_config_id ?? 'none'} config={stored} />
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
function StorageForm({ config }: { readonly config: StorageConfig | null }) {
  return (
    <Form
      isOpen
      keeps
      role="admin"
      title={config === null ? 'Use buckets of your own' : 'Replace the configuration'}
      button="Check and save"
      fields={storageFields.map((field) => ({ ...field, value: config?.[field.name as keyof StorageConfig] ?? null }))}
      send={async (body: BodyOf<'putStorageConfig'>) => {
        await api.putStorageConfig({ body });
        return 'New bots store their recordings there.';
      }}
    />
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
            <Form
              title="Keep data for another time"
              button="Save"
              role="admin"
              keeps
              fields={[
                {
                  name: 'days',
                  label: 'Days',
                  type: 'number',
                  max: maximum,
                  hint: `At most ${maximum}. Left empty: as long as the plan allows.`,
                  empty: null,
                  value: days,
                },
              ]}
              send={async (body: BodyOf<'setRetentionSettings'>) =>
                `Data is kept for ${dayText((await api.setRetentionSettings({ body })).effective_days)} now.`
              }
            >
              <label>
                <input type="checkbox" required /> Data that is older is deleted within minutes, for good, also that of
                bots that have left already.
              </label>
            </Form>
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** Labels of what is stored; none: what the buckets do by default. */
const encryptions = [
  ['', 'as the buckets do by default'],
  ['AES256', 'SSE-S3'],
  ['aws:kms', 'SSE-KMS'],
] as const;

export const storageFields: Fields<'putStorageConfig'> = [
  {
    name: 'endpoint',
    label: 'Address',
    hint: 'The S3 address without the bucket, for example https://s3.eu-central-1.amazonaws.com. This service must reach it.',
    type: 'url',
  },
  { name: 'region', label: 'Region' },
  { name: 'artifacts_bucket', label: 'Bucket of recordings and transcripts' },
  {
    name: 'audio_chunks_bucket',
    label: 'Bucket of fragments',
    hint: 'Parts of recordings while they run. It may be the same.',
  },
  {
    name: 'logs_bucket',
    label: 'Bucket of evidence',
    hint: 'Screenshots and page data of failed bots. It may be the same.',
  },
  {
    name: 'key_prefix',
    label: 'Folder in the buckets',
    hint: 'Ends with a slash, for example recordings/. Empty: none.',
    empty: '',
  },
  {
    name: 'kms_key_id',
    label: 'KMS key',
    hint: "Id, alias or ARN, for encryption with KMS. Empty: the account's default key.",
    empty: null,
  },
  { name: 'ingest_access_key_id', label: 'Ingest key id', hint: 'Writes objects and aborts multipart uploads.' },
  { name: 'ingest_secret_access_key', label: 'Ingest secret key', type: 'secret' },
  { name: 'service_access_key_id', label: 'Service key id', hint: 'Reads, lists, writes and deletes.' },
  { name: 'service_secret_access_key', label: 'Service secret key', type: 'secret' },
  { name: 'server_side_encryption', label: 'Encryption', options: encryptions, empty: null },
  {
    name: 'force_path_style',
    label: 'Path-style addresses, as most self-hosted object stores need them',
    type: 'check',
  },
  {
    name: 'allow_transient_spill',
    label:
      'The service may hold a file that the bucket does not take, until it does; without this, such a file is lost',
    type: 'check',
  },
];
