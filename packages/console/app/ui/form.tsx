import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { shown } from "./shown.ts";

/** As the `ref` of what appears by a press: keys then go on there. Browsers heed `autofocus` once a page alone. */
export const focusOnMount = (node: HTMLElement | null): void => node?.focus();

interface Around {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
}

type Described = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean };

/** A label, what is filled in, and beneath it a hint or what is wrong with it. */
function Labelled({
  label,
  hint,
  error,
  children,
}: Around & { children: (described: Described) => ComponentChildren }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div class="grid gap-1">
      <label for={id} class="font-semibold">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
        "aria-invalid": error !== undefined,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} class={`text-sm ${error === undefined ? "text-soft" : "text-problem"}`}>
          {note}
        </p>
      )}
    </div>
  );
}

const FIELD = "w-full border-soft bg-sheet text-base";

export function TextField({
  label,
  hint,
  error,
  onValue,
  focused = false,
  ...rest
}: Around & { onValue: (value: string) => void; focused?: boolean } & Omit<
    JSX.IntrinsicElements["input"],
    "label"
  >) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <input
          type="text"
          {...rest}
          {...described}
          ref={focused ? focusOnMount : null}
          class={`input min-h-11 ${FIELD}`}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  onValue,
  focused = false,
  ...rest
}: Around & { onValue: (value: string) => void; focused?: boolean } & Omit<
    JSX.IntrinsicElements["textarea"],
    "label"
  >) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <textarea
          rows={4}
          {...rest}
          {...described}
          ref={focused ? focusOnMount : null}
          class={`textarea ${FIELD}`}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  error,
  options,
  value,
  onValue,
}: Around & {
  options: readonly (readonly [value: string, name: string])[];
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <select
          {...described}
          class={`select min-h-11 ${FIELD}`}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A box to tick, with what it means. */
export function Tick({
  label,
  hint,
  checked,
  onValue,
  disabled = false,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onValue: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="flex min-h-11 cursor-pointer items-start gap-3 py-2">
      <input
        type="checkbox"
        class="checkbox checkbox-primary mt-0.5 border-soft"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span class="grid">
        {shown(label)}
        {hint !== undefined && <span class="text-sm text-soft">{shown(hint)}</span>}
      </span>
    </label>
  );
}

/** One of several choices, each with what it means. */
export function Choices({
  legend,
  options,
  value,
  onValue,
}: {
  legend: string;
  options: readonly { value: string; name: string; hint?: string }[];
  value: string;
  onValue: (value: string) => void;
}) {
  const name = useId();
  return (
    <fieldset class="grid gap-1">
      <legend class="font-semibold">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} class="flex min-h-11 cursor-pointer items-start gap-3 py-2">
          <input
            type="radio"
            name={name}
            class="radio radio-primary mt-0.5 border-soft"
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span class="grid">
            {option.name}
            {option.hint !== undefined && <span class="text-sm text-soft">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
