import {
  MESSAGE_MATCHER_IS_ALREADY_BUILT,
  type Result,
  type Router,
  UnsupportedPathError,
} from "hono/router";

/** A route, with the position of each of its parameters among the segments of a path. */
interface PathRoute<T> {
  method: string;
  handler: T;
  /** Routes match in the order in which they were added. */
  order: number;
  positions: Record<string, number>;
}

/** The routes whose paths begin with the same segments. */
interface Node<T> {
  literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  /** The routes whose paths end here. */
  here: PathRoute<T>[];
  /** The routes whose paths end with `/*` here: they match this path and all below it. */
  below: PathRoute<T>[];
}

/** The candidates that still match after some of the path's segments. */
interface State<T> {
  /** The next state by segment, where a route has that very segment. */
  literals: Map<string, State<T>>;
  /** The next state for any other segment. */
  other: State<T>;
  /** The next state for an empty segment, which is no parameter's value. */
  empty: State<T>;
  /** The handlers of a path that ends here, by method; other methods have those of `ALL`. */
  handlers: Map<string, Handlers<T>>;
}

type Handlers<T> = [T, Record<string, number>][];

/** Hono's name for a route of every method. */
const ALL = "ALL";
const LITERAL = /^[^:*?{}]*$/;
const PARAMETER = /^:(\w+)$/;

/**
 * A router for Hono with the results of its `TrieRouter`, but one look-up per segment of a path: every route that
 * matches, in the order in which they were added. Paths begin with a slash and consist of literal segments, parameters
 * (`:id`) and at their end `*`; for others `add` throws `UnsupportedPathError`.
 */
export function createPathRouter<T>(): Router<T> {
  const root = newNode<T>();
  const methods = new Set([ALL]);
  let start: State<T> | undefined;
  let order = 0;
  return {
    name: "PathRouter",
    add(method, path, handler) {
      if (start !== undefined) throw new Error(MESSAGE_MATCHER_IS_ALREADY_BUILT);
      methods.add(method);
      insert(root, path, { method, handler, order: order++ });
    },
    match(method, path): Result<T> {
      start ??= stateOf([root], [], methods);
      const segments = path.startsWith("/") ? path.split("/") : ["", ...path.split("/")];
      let state = start;
      for (let at = 1; at < segments.length; at++) {
        const segment = segments[at] ?? "";
        state = state.literals.get(segment) ?? (segment === "" ? state.empty : state.other);
      }
      return [state.handlers.get(method) ?? state.handlers.get(ALL) ?? [], segments];
    },
  };
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, here: [], below: [] });

function insert<T>(root: Node<T>, path: string, route: Omit<PathRoute<T>, "positions">): void {
  const [before, ...segments] = path.split("/");
  const positions: Record<string, number> = Object.create(null);
  let node = root;
  for (const [index, segment] of segments.entries()) {
    if (segment === "*" && index === segments.length - 1)
      return void node.below.push({ ...route, positions });
    const [, parameter] = PARAMETER.exec(segment) ?? [];
    const known = parameter === undefined ? LITERAL.test(segment) : !(parameter in positions);
    if (!known || before !== "") throw new UnsupportedPathError(path);
    if (parameter !== undefined) positions[parameter] = index + 1;
    node = parameter === undefined ? literalOf(node, segment) : (node.parameter ??= newNode());
  }
  node.here.push({ ...route, positions });
}

function literalOf<T>(node: Node<T>, segment: string): Node<T> {
  const next = node.literals.get(segment) ?? newNode<T>();
  node.literals.set(segment, next);
  return next;
}

/** Returns the state of a path that led to these nodes; the routes of `above` match it with any rest. */
function stateOf<T>(
  nodes: readonly Node<T>[],
  above: readonly PathRoute<T>[],
  methods: ReadonlySet<string>,
): State<T> {
  const lasting = [...above, ...nodes.flatMap(({ below }) => below)];
  const ending = [...lasting, ...nodes.flatMap(({ here }) => here)].toSorted((a, b) => a.order - b.order);
  const handlers = new Map([...methods].map((method) => [method, handlersFor(method, ending)]));
  const state = { literals: new Map<string, State<T>>(), handlers } as State<T>;
  // However long a path is, nothing new matches below the last node.
  if (nodes.length === 0) return Object.assign(state, { other: state, empty: state });
  const parameters = nodes.flatMap(({ parameter }) => parameter ?? []);
  for (const segment of new Set(nodes.flatMap(({ literals }) => [...literals.keys()]))) {
    const next = nodes.flatMap(({ literals }) => literals.get(segment) ?? []);
    if (segment !== "") next.push(...parameters);
    state.literals.set(segment, stateOf(next, lasting, methods));
  }
  state.other = stateOf(parameters, lasting, methods);
  state.empty = parameters.length === 0 ? state.other : stateOf([], lasting, methods);
  return state;
}

const handlersFor = <T>(method: string, routes: readonly PathRoute<T>[]): Handlers<T> =>
  routes
    .filter((route) => route.method === method || route.method === ALL)
    .map(({ handler, positions }) => [handler, positions]);
