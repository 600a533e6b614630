/** An address with a secret in it, which is shown once. */
import { copyText } from './clipboard.ts';
import { showToast } from './toasts.tsx';
import { Button } from './ui.tsx';

export const SecretAddress = ({ id, label, address }: { id: string; label: string; address: string | null }) => (
  <div class="row">
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} readOnly value={address ?? ''} onFocus={(event) => event.currentTarget.select()} />
    </div>
    <Button
      onClick={async () => {
        await copyText(address ?? '');
        showToast('The address is copied.');
      }}
    >
      Copy<span class="hidden">: {label}</span>
    </Button>
  </div>
);
