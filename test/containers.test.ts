import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { VARIABLES } from "../packages/server/src/process/variables.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const blocks = [...read("docs/containers.md").matchAll(/```yaml\n(.*?)```/gs)].map(([, block = ""]) => block);
const blockOf = (comment: string): string => blocks.find((block) => block.startsWith(comment)) ?? "";

/** What is given in `env` that the server doesn't read, or refuses. A value that only its operator knows is taken. */
function refused(env: Record<string, string>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => {
      const variable = VARIABLES[name as keyof typeof VARIABLES] as (typeof VARIABLES)["PORT"] | undefined;
      return variable === undefined || !(value.includes("${") || variable.schema.safeParse(value).success);
    })
    .map(([name]) => name);
}

describe("compose.yaml in the page on containers", () => {
  const { services, volumes } = parse(blockOf("# compose.yaml")) as {
    services: Record<
      string,
      { environment?: Record<string, string>; command?: string; volumes: string[]; ports: string[] }
    >;
    volumes: Record<string, null>;
  };
  const { letterslot, proxy } = services;

  test("sets what the server reads", () => {
    expect(refused(letterslot?.environment ?? {})).toEqual([]);
  });

  test("keeps all data in volumes that it makes", () => {
    const used = [letterslot, proxy].flatMap((service) => service?.volumes ?? []);
    expect(used.map((each) => each.split(":")[0])).toEqual(Object.keys(volumes));
    expect(letterslot?.volumes).toEqual([expect.stringMatching(/:\/data$/)]);
  });

  test("serves the API by TLS alone, under the name that the letters have", () => {
    const host = new URL(letterslot?.environment?.["BASE_URL"] ?? "").host;
    expect(proxy?.command).toContain(`--from ${host} --to letterslot:8025`);
    expect(letterslot?.ports).toEqual(["25:2525"]);
  });
});

describe("the manifest in the page on containers", () => {
  const [web, smtp, set] = parseAllDocuments(blockOf("# letterslot.yaml")).map(
    (each) => each.toJS() as unknown,
  ) as unknown as [
    ServiceManifest,
    ServiceManifest,
    {
      kind: string;
      spec: {
        replicas: number;
        selector: { matchLabels: object };
        template: { metadata: { labels: object }; spec: PodSpec };
        volumeClaimTemplates: { metadata: { name: string } }[];
      };
    },
  ];
  interface ServiceManifest {
    kind: string;
    spec: {
      type?: string;
      externalTrafficPolicy?: string;
      selector: object;
      ports: { targetPort: string }[];
    };
  }
  interface PodSpec {
    terminationGracePeriodSeconds: number;
    securityContext: { runAsNonRoot: boolean; runAsUser: number; fsGroup: number };
    containers: [
      {
        env: { name: string; value?: string }[];
        ports: { name: string; containerPort: number }[];
        livenessProbe: { httpGet: { path: string } };
        readinessProbe: { httpGet: { path: string } };
        volumeMounts: { name: string; mountPath: string }[];
      },
    ];
  }
  const pod = set.spec.template.spec;
  const [container] = pod.containers;

  test("sets what the server reads", () => {
    expect([web.kind, smtp.kind, set.kind]).toEqual(["Service", "Service", "StatefulSet"]);
    const env = Object.fromEntries(container.env.map(({ name, value = "${secret}" }) => [name, value]));
    expect(refused(env)).toEqual([]);
  });

  test("runs one process as the image's user, with the volume where the image keeps its data", () => {
    expect(set.spec.replicas).toBe(1);
    expect(pod.securityContext).toEqual({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(read("Dockerfile")).toContain("USER node\nVOLUME /data");
    expect(container.volumeMounts).toEqual([
      { name: set.spec.volumeClaimTemplates[0]?.metadata.name, mountPath: "/data" },
    ]);
    expect(pod.terminationGracePeriodSeconds).toBe(30);
  });

  test("leads the services to the pod's ports, which are the image's; mail comes with its sender's address", () => {
    for (const { spec } of [web, smtp]) expect(spec.selector).toEqual(set.spec.selector.matchLabels);
    expect(smtp.spec).toMatchObject({ type: "LoadBalancer", externalTrafficPolicy: "Local" });
    expect(set.spec.template.metadata.labels).toEqual(set.spec.selector.matchLabels);
    expect([web, smtp].flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort))).toEqual(
      container.ports.map(({ name }) => name),
    );
    const exposed = container.ports.map(({ containerPort }) => containerPort).join(" ");
    expect(read("Dockerfile")).toContain(`EXPOSE ${exposed}\n`);
    expect(container.livenessProbe.httpGet.path).toBe("/healthz");
    expect(container.readinessProbe.httpGet.path).toBe("/readyz");
  });
});

test("compose.yaml of many processes sets what the server reads", () => {
  const file = parse(read("compose.yaml"), { merge: true }) as Record<string, Record<string, string>>;
  expect(refused(file["x-environment"] ?? {})).toEqual([]);
});
