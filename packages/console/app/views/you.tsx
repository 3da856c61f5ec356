import { accountName } from "virtual:names";
import { LogOut } from "lucide-preact";
import { accountsOf, type Caller, chooseAccount, signOut } from "../api/caller.ts";
import { useCaller } from "../api/caller-context.ts";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/form.tsx";
import { Row, Rows, Sheet, View } from "../ui/layout.tsx";
import { say } from "../ui/toasts.tsx";
import { words } from "../words/index.ts";

const text = words.account;

/** Who is signed in, which account is looked at, and the way out. */
export function You() {
  const { caller, reenter } = useCaller();
  const leave = () => void signOut(caller).then(reenter, say);
  return (
    <View
      title={words.nav.you}
      lead={caller.kind === "person" ? caller.session.email : text.asKey(caller.me.key?.prefix ?? "")}
      actions={
        <Button icon={LogOut} onClick={leave}>
          {text.signOut}
        </Button>
      }
    >
      {caller.kind === "person" && <Person caller={caller} onChosen={reenter} />}
    </View>
  );
}

function Person({ caller, onChosen }: { caller: Extract<Caller, { kind: "person" }>; onChosen: () => void }) {
  const { session, account_id } = caller;
  const accounts = accountsOf(session);
  const choose = (id: string) => {
    chooseAccount(id);
    onChosen();
  };
  return (
    <>
      {accounts.length > 1 && (
        <Sheet>
          <SelectField
            label={text.choose}
            options={accounts.map((id) => [id, nameOf(session, id)])}
            value={account_id ?? ""}
            onValue={choose}
          />
        </Sheet>
      )}
      <Rows>
        <Row href="/you/passkeys" title={text.passkeys} />
        <Row href="/you/sessions" title={text.apps} />
      </Rows>
    </>
  );
}

/** Accounts have no names: their first inboxes say which they are. */
const nameOf = ({ inboxes }: Extract<Caller, { kind: "person" }>["session"], id: string): string =>
  accountName(inboxes.filter(({ account_id }) => account_id === id).map(({ email }) => email));
