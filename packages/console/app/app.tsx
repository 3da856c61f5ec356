import type { ComponentChildren } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Link, Redirect, Route, Switch } from "wouter-preact";
import { type Caller, findCaller, identityOf, may } from "./api/caller.ts";
import { CallerContext } from "./api/caller-context.ts";
import { features } from "./api/features.ts";
import { queries, useAnswer, useLiveEvents } from "./api/queries.ts";
import { Boundary } from "./ui/boundary.tsx";
import { View } from "./ui/layout.tsx";
import { Mark } from "./ui/mark.tsx";
import { noteEvent } from "./ui/notify.ts";
import { Shell } from "./ui/shell.tsx";
import { Empty, Loading, Problem } from "./ui/states.tsx";
import { dropToasts } from "./ui/toasts.tsx";
import { NeedsYou } from "./views/needs-you.tsx";
import { SignIn } from "./views/sign-in.tsx";
import { waitingIn } from "./views/waiting.ts";
import { words } from "./words/index.ts";

const Start = lazy(async () => (await import("./views/start.tsx")).Start);
const Approval = lazy(async () => (await import("./views/approval/approval.tsx")).Approval);
const Approvals = lazy(async () => (await import("./views/approval/approvals.tsx")).Approvals);
const Inboxes = lazy(async () => (await import("./views/inboxes.tsx")).Inboxes);
const Mail = lazy(async () => (await import("./views/mail/mail.tsx")).Mail);
const Agent = lazy(async () => (await import("./views/agent/agent.tsx")).Agent);
const Operations = lazy(async () => (await import("./views/operations/operations.tsx")).Operations);
const You = lazy(async () => (await import("./views/you.tsx")).You);
const Passkeys = lazy(async () => (await import("./views/you/passkeys.tsx")).Passkeys);
const Sessions = lazy(async () => (await import("./views/you/sessions.tsx")).Sessions);
const Outbox = lazy(async () => (await import("./views/outbox/outbox.tsx")).Outbox);
const PersonsTelephone = lazy(async () => (await import("./views/telephone/telephone.tsx")).PersonsTelephone);
const Components = lazy(async () => (await import("./views/components.tsx")).Components);

let seen = "";

/** Finds out who looks. Where that has changed, in another tab perhaps, the answers to the one before are forgotten. */
async function lookWho(): Promise<Caller | null> {
  const found = await findCaller();
  const identity = identityOf(found);
  if (seen !== "" && identity !== seen) {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "caller" });
    dropToasts();
  }
  seen = identity;
  return found;
}

/** The console: signs in whoever isn't, and shows the view that the address names. */
export function App() {
  const caller = useAnswer<Caller | null>(["caller"], lookWho);
  const [entered, setEntered] = useState(0);
  const enter = useCallback(() => {
    setEntered((times) => times + 1);
    dropToasts();
    void queries.resetQueries();
  }, []);
  if (caller.error !== null && caller.data === undefined)
    return (
      <main class="mx-auto max-w-md p-4 pt-16">
        <h1 class="mb-4 text-2xl font-semibold">{words.product}</h1>
        <Problem error={caller.error} retry={() => void caller.refetch()} />
      </main>
    );
  if (caller.data === undefined)
    return (
      <main class="mx-auto max-w-md p-4 pt-16">
        <h1 class="sr-only">{words.product}</h1>
        <Loading />
      </main>
    );
  if (caller.data === null)
    return (
      <Switch>
        {ofThisMachine((view) => (
          <Outside>{view}</Outside>
        ))}
        <Route>
          <SignIn onEntered={enter} />
        </Route>
      </Switch>
    );
  return (
    <CallerContext.Provider value={{ caller: caller.data, reenter: enter }}>
      <Inside key={`${entered} ${identityOf(caller.data)}`} caller={caller.data} />
    </CallerContext.Provider>
  );
}

/** What the server has for whoever sits at its machine, signed in or not. */
const ofThisMachine = (around: (view: ComponentChildren) => ComponentChildren) => [
  features.outbox === true && (
    <Route key="outbox" path="/outbox/:name?">
      {({ name }) => around(<Outbox name={name === undefined ? null : decodeURIComponent(name)} />)}
    </Route>
  ),
  features.phone === true && (
    <Route key="phone" path="/phone">
      {around(<PersonsTelephone />)}
    </Route>
  ),
];

function Outside({ children }: { children: ComponentChildren }) {
  return (
    <>
      <header class="flex flex-wrap items-center justify-between gap-2.5 px-4 pt-4 font-semibold lg:px-8">
        <span class="flex items-center gap-2.5">
          <Mark />
          {words.product}
        </span>
        <Link href="/" class="inline-flex min-h-11 items-center">
          {words.signIn.title}
        </Link>
      </header>
      <main id="content" class="min-w-0 px-4 pt-4 pb-16 lg:px-8">
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
    </>
  );
}

/** The views that are about an account: whoever is new has none. The list of operations also leads to the machine's own. */
const OF_AN_ACCOUNT = /^\/(?:approvals|inboxes|operations\/.).*$/;

function NoAccount() {
  // An agent may have come in since.
  useEffect(() => void queries.refetchQueries({ queryKey: ["caller"] }), []);
  return (
    <View title={words.noAccount.title}>
      <Empty title={words.noAccount.empty} action={<Link href="/start">{words.noAccount.link}</Link>}>
        {words.noAccount.text}
      </Empty>
    </View>
  );
}

function Inside({ caller }: { caller: Caller }) {
  // A person who is new has no account yet.
  const settled = caller.kind === "key" || caller.account_id !== null;
  const overview = useAnswer(
    ["overview"],
    (client) => client.overview.get({ time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    settled,
  );
  useLiveEvents(settled && may(caller, "event_read"), noteEvent);
  return (
    <Shell waiting={overview.data === undefined ? null : waitingIn(overview.data, caller)}>
      <Boundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {!settled && (
              <Route path={OF_AN_ACCOUNT}>
                <NoAccount />
              </Route>
            )}
            <Route path="/">
              {settled ? <NeedsYou overview={overview} /> : <Redirect to="/start" replace />}
            </Route>
            {caller.kind === "person" && (
              <Route path="/start">
                <Start />
              </Route>
            )}
            <Route path="/approvals">
              <Approvals status="all" />
            </Route>
            <Route path="/approvals/status/:status">{({ status }) => <Approvals status={status} />}</Route>
            <Route path="/approvals/:approval_id">{({ approval_id }) => <Approval id={approval_id} />}</Route>
            <Route path="/inboxes">
              <Inboxes />
            </Route>
            <Route path="/inboxes/all/held">
              <Inboxes all="held" />
            </Route>
            <Route path="/inboxes/all/questions">
              <Inboxes all="questions" />
            </Route>
            <Route path="/inboxes/:inbox_id/agent/question/:update_id">
              {({ inbox_id, update_id }) => (
                <Agent key={update_id} inbox_id={inbox_id} tab="conversation" update_id={update_id} />
              )}
            </Route>
            <Route path="/inboxes/:inbox_id/agent/:tab?">
              {({ inbox_id, tab }) => <Agent inbox_id={inbox_id} tab={tab ?? "conversation"} />}
            </Route>
            <Route path="/inboxes/:inbox_id/*?">
              {({ inbox_id, "*": rest }) => <Mail inbox_id={inbox_id} rest={rest ?? ""} />}
            </Route>
            <Route path="/operations/*?">{({ "*": rest }) => <Operations rest={rest ?? ""} />}</Route>
            <Route path="/you">
              <You />
            </Route>
            {caller.kind === "person" && (
              <Route path="/you/passkeys">
                <Passkeys />
              </Route>
            )}
            {caller.kind === "person" && (
              <Route path="/you/sessions">
                <Sessions />
              </Route>
            )}
            {ofThisMachine((view) => view)}
            <Route path="/components">
              <Components />
            </Route>
            <Route path="/sign-in">
              <Redirect to="/" />
            </Route>
            <Route>
              <View title={words.nothingHere.title}>
                <Empty
                  title={words.nothingHere.title}
                  action={<Link href="/">{words.nothingHere.link}</Link>}
                >
                  {words.nothingHere.text}
                </Empty>
              </View>
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Shell>
  );
}
