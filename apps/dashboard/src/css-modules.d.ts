// The class names of a style sheet that belongs to one part.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
/** The address of a picture that the build put among the assets. */
declare module '*.svg' {
  const address: string;
  export default address;
}
