/** Vite bundles them. */
declare module "*.css";
