import { api } from '../api/client.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { isProvider, providers } from '../elements/providers.ts';
import { isFinal } from '../elements/status-text.ts';
import type { Bot } from './bot.ts';

/** Transcribes a stored recording again, or for the first time. */
export function Retranscribe({ bot }: { readonly bot: Bot }) {
  if (!isFinal(bot.status) || bot.artifacts_deleted || (bot.video === null && bot.audio_m4a === null)) return null;
  return (
    <ActionForm
      title={bot.transcription === null ? 'Transcribe it' : 'Transcribe it again'}
      button="Start the transcription"
      act={async (form) => {
        const [provider, key] = [textOf(form, 'provider'), textOf(form, 'api_key')];
        const transcription = isProvider(provider) ? { provider, ...(key === '' ? {} : { api_key: key }) } : null;
        return (await api.retranscribeBot({ bot_id: bot.bot_id, body: { transcription } })).message;
      }}
    >
      <Field label="Provider" hint="The new transcript replaces the one before.">
        <select name="provider" defaultValue={bot.transcription_provider ?? ''}>
          <option value="">As the bot was sent</option>
          {providers.map((provider) => (
            <option key={provider} value={provider}>
              {provider}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Your own key of the provider" hint="Left empty: the key of this service.">
        <input name="api_key" type="password" maxLength={1_000} autoComplete="off" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}
