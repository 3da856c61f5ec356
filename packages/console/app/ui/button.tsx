import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren, JSX } from "preact";
import { Spinner } from "./spinner.tsx";

type Kind = "primary" | "quiet" | "plain" | "danger";

const CLASSES: Record<Kind, string> = {
  primary: "btn-primary",
  quiet: "btn-outline border-line text-ink hover:bg-paper hover:border-soft hover:text-ink",
  plain: "btn-ghost text-ink",
  danger:
    "btn-outline border-problem text-problem hover:bg-problem-ground hover:text-problem hover:border-problem",
};

interface Look {
  kind?: Kind;
  icon?: LucideIcon;
  small?: boolean;
  children: ComponentChildren;
}

const classesOf = (kind: Kind, small: boolean) =>
  `btn ${CLASSES[kind]} ${small ? "btn-sm min-h-9" : "min-h-11"} font-semibold whitespace-nowrap`;

/** A button; while `busy` it can't be pressed and says so. */
export function Button({
  kind = "quiet",
  icon: Icon,
  small = false,
  busy = false,
  children,
  ...rest
}: Look & { busy?: boolean } & Omit<JSX.IntrinsicElements["button"], "icon">) {
  return (
    <button
      type="button"
      {...rest}
      class={`${classesOf(kind, small)} ${(rest.class as string | undefined) ?? ""}`}
      disabled={busy || rest.disabled === true}
      aria-busy={busy}
    >
      {busy ? <Spinner /> : Icon && <Icon size={18} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = "quiet",
  icon: Icon,
  small = false,
  children,
  ...rest
}: Look & JSX.IntrinsicElements["a"]) {
  return (
    <a {...rest} class={classesOf(kind, small)}>
      {Icon && <Icon size={18} aria-hidden="true" />}
      {children}
    </a>
  );
}

/** A button of an icon alone; `label` is its name for those who don't see it. */
export function IconButton({
  icon: Icon,
  label,
  ...rest
}: { icon: LucideIcon; label: string } & Omit<JSX.IntrinsicElements["button"], "icon" | "label">) {
  return (
    <button
      type="button"
      {...rest}
      class="btn btn-ghost btn-square min-h-11 min-w-11"
      aria-label={label}
      title={label}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}
