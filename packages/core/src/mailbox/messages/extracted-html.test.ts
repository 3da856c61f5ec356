import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const HTML =
  '<style>p{color:red}</style><p onclick="x()">Hello <b>you</b></p><script>x()</script>' +
  '<form action="https://evil.example"><input name="pin"><img src="https://evil.example/pixel.png" alt="Logo"></form>' +
  '<img src="cid:logo">';
const SAFE = '<p>Hello <b>you</b></p>Logo<img src="cid:logo">';

async function open() {
  const service = createTestService();
  return { service, ...(await service.signUp()) };
}

test("received HTML stays as it came; what agents read of it loads and runs nothing", async () => {
  const { service, as, inbox } = await open();
  await service.receive({ from: "eve@example.com", to: inbox.email, text: "Hello you", html: HTML });
  const [message] = (await as.messages.list({ inbox_id: inbox.id })).data;
  expect(message).toMatchObject({ html: HTML, extracted_html: SAFE });
});

test("the same holds for mail that is sent, to others and within the service", async () => {
  const { as, inbox } = await open();
  const sent = await as.messages.send({ inbox_id: inbox.id, to: ["eve@example.com"], html: HTML });
  expect(sent).toMatchObject({ html: HTML, extracted_html: SAFE });
  const injected = await as.messages.inject({ inbox_id: inbox.id, from: "eve@example.com", html: HTML });
  expect(injected).toMatchObject({ html: HTML, extracted_html: SAFE });
});

test("HTML of which nothing has to go is the same in both", async () => {
  const { as, inbox } = await open();
  const html = "<p>Hello <i>you</i></p>";
  const sent = await as.messages.send({ inbox_id: inbox.id, to: ["eve@example.com"], html });
  expect(sent).toMatchObject({ html, extracted_html: html });
});

test("a letter of the service has no style sheet there either", async () => {
  const { service, as, inbox } = await open();
  await as.owners.create({ inbox_id: inbox.id, email: "grace@example.com" });
  await service.work();
  const [letter] = (await as.messages.list({ inbox_id: inbox.id, label: ["owner"] })).data;
  const { html, extracted_html } = { html: "", extracted_html: "", ...letter };
  expect(html).toContain("<style");
  expect(extracted_html).toContain("<p");
  expect(extracted_html).not.toMatch(/<(?:style|meta|form|script)/);
});
