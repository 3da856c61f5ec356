import { Inbox, Send, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { ActButton, ActForm } from "../ui/act.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip, type Tone } from "../ui/chip.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Choices, SelectField, TextArea, TextField, Tick } from "../ui/form.tsx";
import { Json } from "../ui/json.tsx";
import { Facts, Initial, RoundIcon, Row, Rows, Section, Sheet, View } from "../ui/layout.tsx";
import { Opens } from "../ui/opens.tsx";
import { Code, CopyButton, Note, TabButtons, TabLinks, When } from "../ui/small.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { say } from "../ui/toasts.tsx";
import { fileSize, words } from "../words/index.ts";

const TONES: readonly Tone[] = ["question", "approval", "problem", "done", "progress"];
const WHEN = "2026-11-20T18:32:00Z";

/** All pieces that views are made of, on one page: to look at, and to build with. */
export function Components() {
  const [value, setValue] = useState("one");
  const [ticked, setTicked] = useState(true);
  const options = ["one", "two"].map((each) => ({ value: each, name: each, hint: `What ${each} means` }));
  return (
    <View
      title={words.components.title}
      lead="What views are made of."
      back={{ href: "/", label: words.nav.needs }}
      actions={
        <Button kind="primary" icon={Send}>
          Primary
        </Button>
      }
    >
      <Section title="Buttons">
        <Sheet>
          <div class="flex flex-wrap items-center gap-2">
            <Button kind="primary">Approve</Button>
            <Button>Reject</Button>
            <Button kind="plain">Plain</Button>
            <Button kind="danger">Delete</Button>
            <Button busy>Busy</Button>
            <Button disabled>Not now</Button>
            <Button small icon={Inbox}>
              Small
            </Button>
            <IconButton icon={Trash2} label="Delete" />
            <CopyButton text="copied" />
            <ConfirmButton
              label="Delete for good"
              question="Delete this?"
              act={async () => say("Deleted", async () => {})}
            />
          </div>
        </Sheet>
      </Section>
      <Section title="Chips and notes">
        <Sheet>
          <div class="grid gap-3">
            <div class="flex flex-wrap gap-2">
              {TONES.map((tone) => (
                <Chip key={tone} tone={tone}>
                  {tone}
                </Chip>
              ))}
            </div>
            {TONES.map((tone) => (
              <Note key={tone} tone={tone}>
                A remark about a {tone}.
              </Note>
            ))}
          </div>
        </Sheet>
      </Section>
      <Section title="Rows" count={3}>
        <Rows>
          <Row
            href="/"
            icon={<Initial name="Ada" />}
            title="Ada"
            detail="ada@agents.example"
            meta={<When at={WHEN} />}
            strong
          />
          <Row
            icon={<RoundIcon icon={Inbox} tone="approval" />}
            title="A long title that is cut where the line ends because there is no room for all of it"
            detail="And a detail that goes over two lines at most, after which it is cut as well, wherever that happens to be on this screen, be it a phone or a desk."
            meta={<Chip tone="problem">Held</Chip>}
          />
          <Row title="With an act" action={<Button small>Act</Button>} />
        </Rows>
      </Section>
      <Section title="Facts">
        <Sheet>
          <Facts
            facts={[
              ["Address", "ada@agents.example"],
              ["Size", fileSize(12_345_678)],
              ["Since", <When key="when" at={WHEN} form="long" />],
            ]}
          />
        </Sheet>
      </Section>
      <Section title="Fields">
        <Sheet>
          <div class="grid gap-4">
            <TextField label="Name" hint="As others read it" value="Ada" onValue={() => undefined} />
            <TextField label="Address" error="This is no address." value="ada@" onValue={() => undefined} />
            <TextArea label="Comment" value="" onValue={() => undefined} />
            <SelectField
              label="Place"
              options={[
                ["one", "One"],
                ["two", "Two"],
              ]}
              value={value}
              onValue={setValue}
            />
            <Choices legend="Send mode" options={options} value={value} onValue={setValue} />
            <Tick label="Also the others" hint="What that means" checked={ticked} onValue={setTicked} />
            <TabButtons label="Tools" tabs={options} value={value} onValue={setValue} />
          </div>
        </Sheet>
      </Section>
      <TabLinks
        label="Parts"
        tabs={[
          { href: "/components", name: "This page", current: true },
          { href: "/", name: "Another", current: false },
        ]}
      />
      <Section title="Rows that open">
        <Rows>
          <Opens title="A key" detail="ls_live_4f0b…" meta={<When at={WHEN} />}>
            {() => (
              <ActButton act={async () => Promise.reject(new Error("That can't be done now."))}>
                Act
              </ActButton>
            )}
          </Opens>
          <Opens title="One that descends from it" detail="ls_live_9c1d…" depth={1}>
            {() => <Json value={{ id: "key_1", name: "Reader" }} label="As JSON" />}
          </Opens>
        </Rows>
      </Section>
      <Section title="Table">
        <Table
          label="Refusals"
          columns={[
            { name: "What it tried", show: ([tried]: readonly [string, number]) => tried },
            { name: "How often", show: ([, count]: readonly [string, number]) => count, number: true },
          ]}
          items={[
            ["messages.send", 12],
            ["keys.create", 1],
          ]}
          keyOf={([tried]) => tried}
        />
      </Section>
      <Section title="A form with one act">
        <Sheet>
          <ActForm submit="Save" act={async () => say("Saved")} onCancel={() => undefined}>
            <TextField label="Name" value={value} onValue={setValue} />
          </ActForm>
        </Sheet>
      </Section>
      <Section title="Code">
        <Code text="curl https://mail.example.com/llms.txt" />
      </Section>
      <Section title="States">
        <Sheet>
          <Loading rows={2} />
        </Sheet>
        <Sheet>
          <Empty title="Nothing waits for you" action={<Button>Pair an agent</Button>}>
            Your agents are at work.
          </Empty>
        </Sheet>
        <Problem error={new Error("The server can't be reached.")} retry={() => undefined} />
      </Section>
    </View>
  );
}
