import { type Column, type Step, type TableName, tables } from "@letterslot/core/ports";
import { type Compilable, type CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely";
import { createShapes, type KnownShape, whereSql, withPart, withWhere } from "./conditions.ts";
import {
  type ListLookUps,
  listLookUps,
  listParameters,
  listSql,
  listsKey,
  type MergedList,
  mergedList,
} from "./list-look-ups.ts";
import { type Call, encoderOf, parameter, type Slot } from "./parameters.ts";
import type { Access, Row, SqlDialect, SqlStatement } from "./sql-dialect.ts";
import { columnOf, shapeOfTable, type TableShape } from "./table-shape.ts";

/** The storage port's `Find` without its table's type. */
export interface AnyFind {
  where: Row;
  order?: { by: string; direction: "asc" | "desc" };
  limit: number;
  skip_locked?: boolean;
}

/** Builds statements: each shape is compiled once, afterwards only values are bound. */
export interface Statements {
  find(table: TableName, query: AnyFind): SqlStatement;
  count(table: TableName, where: Row, up_to: number): SqlStatement;
  /** The records along a path, as JSON in the columns `step_0`, `step_1`, …; undefined if the dialect has no such. */
  follow(table: TableName, id: string, steps: readonly Step[]): SqlStatement | undefined;
  /** An insert that fails when a key is taken. */
  append(table: TableName, record: Row): SqlStatement;
  /** An insert that does nothing when a key is taken; returns or affects one row if it inserted. */
  insert(table: TableName, record: Row): SqlStatement;
  /** An update that returns the changed rows. */
  update(table: TableName, where: Row, change: Row): SqlStatement;
  delete(table: TableName, where: Row): SqlStatement;
  /** Decodes a row into its record, in place. */
  recordOf(table: TableName, row: Row): Row;
}

/** Statements in a dialect, for every table of core. */
export function createStatements(dialect: SqlDialect): Statements {
  const { builder } = dialect;
  const known = {
    find: createShapes<Compiled>(),
    count: createShapes<Compiled>(),
    follow: createShapes<Compiled>(),
    fail: createShapes<string>(),
    skip: createShapes<string>(),
    update: createShapes<Compiled>(),
    delete: createShapes<Compiled>(),
  };
  const shapes = new Map(
    Object.keys(tables).map((name) => [name as TableName, shapeOfTable(dialect, name as TableName)]),
  );
  const shapeOf = (table: TableName) => shapes.get(table) as TableShape;

  const statement = (
    shape: KnownShape<Compiled>,
    call: Call,
    build: () => Compilable,
    access?: Access,
  ): SqlStatement => {
    shape.value ??= compile(build());
    const { text, slots } = shape.value;
    const built: SqlStatement = { sql: text, parameters: slots.map((slot) => slot.read(call)) };
    if (access !== undefined) built.access = access;
    return built;
  };
  const compile = (query: Compilable): Compiled => {
    const { sql: text, parameters }: CompiledQuery = query.compile();
    return { text, slots: parameters as Slot[] };
  };

  const insertValues = ({ table, columns }: TableShape) =>
    builder
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column.name, recordSlot(dialect, table, column)])));

  /** An insert of a whole record: a parameter for each column, in their order. */
  const insertStatement = (
    call: KnownShape<string>,
    access: Access,
    record: Row,
    build: (shape: TableShape) => Compilable,
  ): SqlStatement => {
    const shape = shapeOf(access.table);
    const parameters = parametersOf(shape, record);
    call.value ??= build(shape).compile().sql;
    return { sql: call.value, parameters, access };
  };

  const insert = (table: TableName, record: Row, conflict: "fail" | "skip"): SqlStatement =>
    insertStatement(
      withPart(known[conflict], table),
      { table, does: "inserts", where: record },
      record,
      (shape) => {
        const query = insertValues(shape);
        if (conflict === "fail") return query;
        const skipping = query.onConflict((on) => on.doNothing());
        return dialect.counts_inserts === true ? skipping : skipping.returning(shape.keyColumn);
      },
    );

  /** Looks up each value of a list separately, since the planner can't estimate the rows that a list finds. */
  const findEach = (table: TableName, { order, limit }: AnyFind, look_ups: ListLookUps): SqlStatement => {
    const { where, rest } = look_ups;
    return statement(
      withOrder(withPart(withWhere(withPart(known.find, table), rest), listsKey(look_ups)), order),
      { where, record: {}, limit },
      () => {
        const shape = shapeOf(table);
        const { wanted, conditions } = listSql(dialect, shape, look_ups);
        const found = builder
          .selectFrom(table)
          .select(shape.selected)
          .where(conditions)
          .$if(Object.keys(rest).length > 0, (each) => each.where(whereSql(dialect, shape, rest)))
          .limit(limitOf(dialect));
        const by = order === undefined ? undefined : columnOf(shape, order.by).name;
        const each = by === undefined ? found : found.orderBy(by, order?.direction);
        const ordered =
          by === undefined ? sql`` : sql` order by ${sql.ref(by)} ${sql.raw(order?.direction ?? "")}`;
        return bound(
          sql`select "found".* from ${wanted} cross join lateral ${each} as "found"${ordered} limit ${limitOf(dialect)}`,
        );
      },
      { table, does: "reads", where },
    );
  };
  /** Merges the pages of each value of a list. */
  const findMerged = (
    table: TableName,
    { order, limit }: AnyFind & Required<Pick<AnyFind, "order">>,
    { where, rest, name, size }: MergedList,
  ): SqlStatement =>
    statement(
      withOrder(withPart(withWhere(withPart(known.find, table), rest), `${name} merged ${size}`), order),
      { where, record: {}, limit },
      () => {
        const shape = shapeOf(table);
        const by = columnOf(shape, order.by).name;
        const pages = listParameters(dialect, columnOf(shape, name), size).map((value) => {
          const page = builder
            .selectFrom(table)
            .select(shape.selected)
            .where(sql<SqlBool>`${sql.ref(name)} = ${value}`)
            .$if(Object.keys(rest).length > 0, (each) => each.where(whereSql(dialect, shape, rest)))
            .orderBy(by, order.direction)
            .limit(limitOf(dialect));
          return sql`select * from ${page}`;
        });
        return bound(
          sql`${sql.join(pages, sql` union all `)} order by ${sql.ref(by)} ${sql.raw(order.direction)} limit ${limitOf(dialect)}`,
        );
      },
      { table, does: "reads", where },
    );
  const followSql = (table: TableName, steps: readonly Step[], rowAsJson: RowAsJson): RawBuilder<unknown> => {
    const first = shapeOf(table);
    const keyed = (shape: TableShape, key: RawBuilder<unknown>) =>
      builder.selectFrom(shape.table).select(shape.selected).where(sql.ref(shape.keyColumn), "=", key);
    const froms = [
      sql`${keyed(
        first,
        parameter(({ where }) => where["id"]),
      )} as "step_0"`,
    ];
    let previous = first;
    for (const [index, [column, next]] of steps.entries()) {
      const named = sql.ref(`step_${index}.${columnOf(previous, column).name}`);
      previous = shapeOf(next);
      froms.push(
        sql`left join lateral ${keyed(previous, named)} as ${sql.table(`step_${index + 1}`)} on true`,
      );
    }
    const selected = froms.map((_, index) => {
      const name = sql.table(`step_${index}`);
      return sql`${rowAsJson(name)} as ${name}`;
    });
    return sql`select ${sql.join(selected)} from ${sql.join(froms, sql` `)}`;
  };
  const bound = (query: RawBuilder<unknown>): Compilable => ({ compile: () => query.compile(builder) });

  return {
    find(table, query) {
      const { where, order, limit, skip_locked } = query;
      const skip = skip_locked === true && dialect.skips_locked;
      const lists = dialect.typed === undefined || skip ? undefined : listLookUps(shapeOf(table), where);
      if (lists !== undefined) return findEach(table, query, lists);
      if (dialect.merges_lists === true && order !== undefined) {
        const list = mergedList(shapeOf(table), where, order.by);
        if (list !== undefined) return findMerged(table, { ...query, order }, list);
      }
      const call_shape = withOrder(withWhere(withPart(known.find, table), where), order);
      return statement(
        skip ? withPart(call_shape, "skip locked") : call_shape,
        { where, record: {}, limit },
        () => {
          const shape = shapeOf(table);
          const all = builder
            .selectFrom(table)
            .select(shape.selected)
            .where(whereSql(dialect, shape, where))
            .limit(limitOf(dialect));
          const found = skip ? all.forUpdate().skipLocked() : all;
          return order === undefined ? found : found.orderBy(columnOf(shape, order.by).name, order.direction);
        },
        skip ? undefined : { table, does: "reads", where },
      );
    },
    count(table, where, up_to) {
      return statement(
        withWhere(withPart(known.count, table), where),
        { where, record: {}, limit: up_to },
        () => {
          const matching = builder
            .selectFrom(table)
            .select(sql`1`.as("one"))
            .where(whereSql(dialect, shapeOf(table), where))
            .limit(limitOf(dialect));
          return builder.selectFrom(matching.as("matching")).select((eb) => eb.fn.countAll().as("count"));
        },
        { table, does: "reads", where },
      );
    },
    follow(table, id, steps) {
      const { rowAsJson } = dialect;
      if (rowAsJson === undefined) return undefined;
      let call_shape = withPart(known.follow, table);
      for (const [column, next] of steps) call_shape = withPart(withPart(call_shape, column), next);
      const call = { where: { id }, record: {}, limit: 1 };
      return statement(call_shape, call, () => bound(followSql(table, steps, rowAsJson)));
    },
    append: (table, record) => insert(table, record, "fail"),
    insert: (table, record) => insert(table, record, "skip"),
    update(table, where, change) {
      const shape = shapeOf(table);
      let call_shape = withWhere(withPart(known.update, table), where);
      for (const name in change)
        call_shape = withPart(
          withPart(call_shape, name),
          isAddition(columnOf(shape, name), change[name]) ? "+" : "=",
        );
      return statement(
        call_shape,
        { where, record: change, limit: 0 },
        () => {
          const changes = Object.fromEntries(
            Object.keys(change).map((name) => [
              name,
              changeOf(dialect, table, columnOf(shape, name), change[name]),
            ]),
          );
          return builder
            .updateTable(table)
            .set(changes)
            .where(whereSql(dialect, shape, where))
            .returning(shape.selected);
        },
        { table, does: "changes", where, change },
      );
    },
    delete(table, where) {
      return statement(
        withWhere(withPart(known.delete, table), where),
        { where, record: {}, limit: 0 },
        () => builder.deleteFrom(table).where(whereSql(dialect, shapeOf(table), where)),
        { table, does: "changes", where },
      );
    },
    recordOf(table, row) {
      for (const [name, decode] of shapeOf(table).decoders) {
        const value = row[name];
        if (value !== null) row[name] = decode(value);
      }
      return row;
    },
  };
}

/** A statement's text, and the readers of its parameters. */
interface Compiled {
  text: string;
  slots: readonly Slot[];
}

const withOrder = (shape: KnownShape<Compiled>, order: AnyFind["order"]): KnownShape<Compiled> =>
  order === undefined ? shape : withPart(withPart(shape, order.by), order.direction);

type RowAsJson = NonNullable<SqlDialect["rowAsJson"]>;

function isAddition({ type }: Column, value: unknown): boolean {
  return type === "integer" && typeof value === "object" && value !== null;
}

function changeOf(dialect: SqlDialect, table: TableName, column: Column, value: unknown) {
  const { name } = column;
  if (!isAddition(column, value)) return recordSlot(dialect, table, column);
  return sql`${sql.ref(name)} + ${parameter(({ record }) => (record[name] as { add: number }).add)}`;
}

/** A record's values, encoded, in the order of the columns. Throws when one is missing: records have no defaults. */
function parametersOf(shape: TableShape, record: Row): unknown[] {
  checkColumns(shape, record);
  return shape.encoders.map(([name, encode]) => encode(valueOf(shape.table, name, record)));
}

function valueOf(table: TableName, name: string, record: Row): unknown {
  const value = record[name];
  if (value === undefined) throw new Error(`${table}.${name} is missing`);
  return value;
}

/** A parameter for a column's value. */
function recordSlot(dialect: SqlDialect, table: TableName, { name, type }: Column) {
  const encode = encoderOf(dialect, type);
  return parameter(({ record }) => encode(valueOf(table, name, record)));
}

/** Records are often spread from others, which can carry an extra column along unnoticed. */
function checkColumns({ table, byName }: TableShape, record: Row): void {
  let count = 0;
  for (const _ in record) count += 1;
  if (count === byName.size) return;
  const given = Object.keys(record);
  const wrong = [
    ...given.filter((name) => !byName.has(name)),
    ...[...byName.keys()].filter((name) => !Object.hasOwn(record, name)),
  ];
  throw new Error(`the record for ${table} has missing or unknown columns: ${wrong.join(", ")}`);
}

function limitOf(dialect: SqlDialect) {
  return dialect.limit(parameter<number>(({ limit }) => limit));
}
