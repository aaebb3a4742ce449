import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { authorization, saveToken } from '../state/control-api.ts';
import { live } from '../state/hooks.ts';

/** Asks for the token of the control API, which stays in this tab. */
export function TokenForm(): ComponentChildren {
  const [token, setToken] = useState('');
  const wasRefused = 'authorization' in authorization();
  return (
    <main class="locked">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saveToken(token);
          void live.follow();
        }}
      >
        <h1>Mock inspector</h1>
        <p>This mock can be reached from other machines: it wants its control token (CHAT_CONTROL_TOKEN).</p>
        <label>
          Control token
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {wasRefused && <p role="alert">The mock does not accept this token.</p>}
        <button class="primary" disabled={token === ''}>
          Open
        </button>
      </form>
    </main>
  );
}
