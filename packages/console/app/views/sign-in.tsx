import { Fingerprint, KeyRound, Mail } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { client, noteSession, useKey } from "../api/caller.ts";
import { features } from "../api/features.ts";
import { useAttempt } from "../ui/act.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/form.tsx";
import { Sheet } from "../ui/layout.tsx";
import { Mark } from "../ui/mark.tsx";
import { Problem } from "../ui/states.tsx";
import { words } from "../words/index.ts";

const text = words.signIn;

/** The way in: a code to a person's mailbox, a passkey, or for developers an API key. */
export function SignIn({ onEntered }: { onEntered: () => void }) {
  const [way, setWay] = useState<"email" | "key">("email");
  return (
    <main class="mx-auto grid min-h-dvh max-w-md content-start gap-6 px-4 pt-[12vh] pb-10">
      <div class="flex items-center gap-2.5 font-semibold">
        <Mark size={32} />
        {words.product}
      </div>
      <Sheet>
        {way === "email" ? (
          <ByMailbox onEntered={onEntered} useKeyInstead={() => setWay("key")} />
        ) : (
          <ByKey onEntered={onEntered} useMailboxInstead={() => setWay("email")} />
        )}
      </Sheet>
    </main>
  );
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

function ByMailbox({ onEntered, useKeyInstead }: { onEntered: () => void; useKeyInstead: () => void }) {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [sent, setSent] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const start = () =>
    attempt(async () => {
      await client.sessions.start({ email, new: true });
      setSent(true);
    });
  const finish = () =>
    attempt(async () => {
      await client.sessions.create({ email, code });
      noteSession();
      onEntered();
    });
  const withPasskey = () =>
    attempt(async () => {
      const { signInWithPasskey } = await import("../api/passkey.ts");
      await signInWithPasskey(client);
      noteSession();
      onEntered();
    });
  if (sent)
    return (
      <Form onSubmit={() => void finish()}>
        <h1 class="text-2xl font-semibold">{text.title}</h1>
        <p>{text.sent(email)}</p>
        {features.outbox === true && (
          <p class="text-sm text-soft">
            {text.captured}{" "}
            <a href="#/outbox" target="_blank" rel="noreferrer">
              {text.outbox}
            </a>
          </p>
        )}
        <TextField
          label={text.code}
          value={code}
          onValue={setCode}
          inputMode="numeric"
          autocomplete="one-time-code"
          focused
          required
        />
        {error && <Problem error={error} />}
        <div class="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={busy}>
            {text.finish}
          </Button>
          <Button kind="plain" onClick={() => setSent(false)}>
            {text.other}
          </Button>
        </div>
      </Form>
    );
  return (
    <Form onSubmit={() => void start()}>
      <div>
        <h1 class="text-2xl font-semibold">{text.title}</h1>
        <p class="mt-1 text-soft">{text.lead}</p>
      </div>
      <TextField
        label={text.email}
        hint={text.emailHint}
        value={email}
        onValue={setEmail}
        type="email"
        autocomplete="email"
        focused
        required
      />
      {error && <Problem error={error} />}
      <Button kind="primary" type="submit" icon={Mail} busy={busy}>
        {text.send}
      </Button>
      <div class="grid gap-1 border-t border-line pt-3">
        {features.passkeys === true && (
          <Button kind="plain" icon={Fingerprint} onClick={() => void withPasskey()}>
            {text.passkey}
          </Button>
        )}
        <Button kind="plain" icon={KeyRound} onClick={useKeyInstead}>
          {text.key}
        </Button>
      </div>
    </Form>
  );
}

function ByKey({ onEntered, useMailboxInstead }: { onEntered: () => void; useMailboxInstead: () => void }) {
  const [key, setKey] = useState("");
  const { busy, error, attempt } = useAttempt();
  const enter = () =>
    attempt(async () => {
      await useKey(key.trim());
      onEntered();
    });
  return (
    <Form onSubmit={() => void enter()}>
      <h1 class="text-2xl font-semibold">{text.key}</h1>
      <TextField
        label={text.keyLabel}
        hint={text.keyHint}
        value={key}
        onValue={setKey}
        type="password"
        autocomplete="off"
        focused
        required
      />
      {error && <Problem error={error} />}
      <Button kind="primary" type="submit" busy={busy}>
        {text.useKey}
      </Button>
      <Button kind="plain" icon={Mail} onClick={useMailboxInstead}>
        {text.withEmail}
      </Button>
    </Form>
  );
}
