/**
 * The script of pages that take passkeys: asks the person's device before a form is posted, and posts its answer in the
 * form's fields. Without it these parts of a page stay hidden, and the page says what else there is.
 */
export const SCRIPT = `
(() => {
const { startAuthentication, startRegistration, browserSupportsWebAuthn } = SimpleWebAuthnBrowser;
if (!browserSupportsWebAuthn()) return;
const here = document.currentScript.src;
const call = async (path, type, body) => {
  const headers = { "content-type": type, accept: "application/json" };
  const response = await fetch(new URL(path, here), { method: "POST", headers, body });
  const answer = await response.json();
  if (!response.ok) throw answer.error;
  return answer;
};
const ask = (path, input = {}) => call(path, "application/json", JSON.stringify(input));
const sign = (options) => startAuthentication({ optionsJSON: options });
const signIn = async () => sign((await ask("session/passkey/options")).get);
const fieldsOf = (form, button) => {
  const fields = new URLSearchParams(new FormData(form));
  if (button.name) fields.set(button.name, button.value);
  return fields;
};
const acts = {
  sign_in: async () => ({ sign_in_code: await signIn() }),
  decide: async (form, button) => {
    const options = () =>
      call("approve/passkey", "application/x-www-form-urlencoded", fieldsOf(form, button).toString());
    let asked = await options().catch(() => ({}));
    if (asked.sign_in) {
      await ask("session", { passkey: await sign(asked.sign_in) });
      asked = await options().catch(() => ({}));
    }
    // The page says why not.
    return { passkey: asked.get ? await sign(asked.get) : "refused" };
  },
  add: async (form) => {
    const { create, get } = await ask("passkeys/options");
    const confirm = get && form.elements.confirmed?.checked ? { confirm: await sign(get) } : {};
    return { ...confirm, made: create ? await startRegistration({ optionsJSON: create }) : "refused" };
  },
  remove: async () => {
    const { get } = await ask("passkeys/options");
    return get ? { confirm: await sign(get) } : {};
  },
};
const said = (error) => {
  if (error?.fix) return error.message + " " + error.fix;
  if (error?.name === "InvalidStateError") return "This device has a passkey of yours already.";
  return "Your device signed nothing, so nothing was done. Press the button to try again.";
};
const put = (form, name, value) => {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  form.append(field);
};
addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  const act = acts[button?.dataset.passkey];
  if (!act) return;
  event.preventDefault();
  const status = form.querySelector("[data-status]");
  status.textContent = "Your device asks you now.";
  status.className = "soft";
  button.disabled = true;
  try {
    const answers = await act(form, button);
    if (button.name) put(form, button.name, button.value);
    for (const [name, answer] of Object.entries(answers))
      put(form, name, typeof answer === "string" ? answer : JSON.stringify(answer));
    HTMLFormElement.prototype.submit.call(form);
  } catch (error) {
    button.disabled = false;
    status.textContent = said(error);
    status.className = "bad";
  }
});
for (const part of document.querySelectorAll("[data-with-passkeys]")) part.hidden = false;
for (const part of document.querySelectorAll("[data-without-passkeys]")) part.hidden = true;
// A page that a browser brings back has no fields of before, and its buttons work.
addEventListener("pageshow", (event) => event.persisted && location.reload());
})();
`;
