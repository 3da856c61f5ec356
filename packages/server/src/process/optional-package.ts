/** A package that the configuration needs and that isn't installed; the message says how to install it. */
export class PackageMissing extends Error {
  override name = "PackageMissing";
}

/**
 * Imports an optional package `name` with `load`. Throws `PackageMissing`, with the setting that needs it, if it isn't
 * installed.
 */
export async function optionalPackage<T>(name: string, setting: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new PackageMissing(`${setting} needs the package ${name}. Install it: npm install ${name}`, {
      cause: error,
    });
  }
}

/** Whether an import failed because that package isn't there, and not another one that it imports. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}
