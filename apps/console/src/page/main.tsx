import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch } from 'wouter';
import './console.css';
import { basePath, needsSignIn } from './api/client.ts';
import { AuditLog } from './audit/audit-log.tsx';
import { BotList } from './bots/bot-list.tsx';
import { BotPage } from './bots/bot-page.tsx';
import { Calendars } from './calendars/calendars.tsx';
import { EmptyState, Page } from './elements/page.tsx';
import { Fleet } from './fleet/fleet.tsx';
import { Keys } from './keys/keys.tsx';
import { Shell } from './layout/shell.tsx';
import { Logins } from './logins/logins.tsx';
import { ScheduledBotPage, ScheduledBots } from './scheduled/scheduled-bots.tsx';
import { Search } from './search/search.tsx';
import { SendBot } from './send/send-bot.tsx';
import { SessionGate } from './session/session.tsx';
import { Storage } from './storage/storage.tsx';
import { Usage } from './usage/usage.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

const client: QueryClient = new QueryClient({
  // After a failed request of the signed-in page the session is read again, and the gate shows the sign-in.
  queryCache: new QueryCache({
    onError: (error) => {
      if (needsSignIn(error)) void client.invalidateQueries({ queryKey: ['session'] });
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 2_000 } },
});

function Console() {
  return (
    <Shell>
      <Switch>
        <Route path="/" component={BotList} />
        <Route path="/bots/:botId">{({ botId }) => <BotPage botId={botId} key={botId} />}</Route>
        <Route path="/search" component={Search} />
        <Route path="/send" component={SendBot} />
        <Route path="/scheduled" component={ScheduledBots} />
        <Route path="/scheduled/:botId">{({ botId }) => <ScheduledBotPage botId={botId} key={botId} />}</Route>
        <Route path="/calendars" component={Calendars} />
        <Route path="/logins" component={Logins} />
        <Route path="/webhooks/*?" component={Webhooks} />
        <Route path="/usage" component={Usage} />
        <Route path="/storage" component={Storage} />
        <Route path="/keys" component={Keys} />
        <Route path="/audit-log" component={AuditLog} />
        <Route path="/fleet" component={Fleet} />
        <Route>
          <Page title="Not found">
            <EmptyState title="There is nothing at this address">Choose a section above.</EmptyState>
          </Page>
        </Route>
      </Switch>
    </Shell>
  );
}

const root = document.getElementById('console');
if (root === null) throw new Error('The page has no place for the console.');
createRoot(root).render(
  <QueryClientProvider client={client}>
    <Router base={basePath}>
      <SessionGate>
        <Console />
      </SessionGate>
    </Router>
  </QueryClientProvider>,
);
