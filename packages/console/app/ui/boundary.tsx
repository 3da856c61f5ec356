import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Problem } from "./states.tsx";

/** A view that fails says so, and leaves what is around it in place: one can go elsewhere, or try again. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  return <Kept key={path.split("/")[1]}>{children}</Kept>;
}

function Kept({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary() as [Error | undefined, () => void];
  return error === undefined ? <>{children}</> : <Problem error={error} retry={reset} />;
}
