import { render } from 'preact';
import { App } from './app.tsx';
import { live } from './state/hooks.ts';

render(<App />, document.body);
void live.follow();
