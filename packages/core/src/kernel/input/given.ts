/** The fields that are set. */
export const given = <F extends object>(fields: F): { [K in keyof F]?: Exclude<F[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof F]?: Exclude<F[K], undefined>;
  };
