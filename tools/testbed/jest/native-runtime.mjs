export { NativeRuntime as default } from '../src/native-runtime.ts';
