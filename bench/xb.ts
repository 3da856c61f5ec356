import { shippedServer } from "./measure/shipped-server.ts";
console.log(await shippedServer());
