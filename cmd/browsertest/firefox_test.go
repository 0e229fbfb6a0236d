package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A firefox is a Firefox that Marionette drives: commands and answers are JSON, each after its length and
// a colon.
type firefox struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	last int
}

// startFirefox starts Firefox with an empty profile. The test is skipped if none is installed.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path := ""
	for _, name := range []string{"firefox", "firefox-esr"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("firefox is not installed")
	}
	profile := t.TempDir()
	preferences := `user_pref("marionette.port", 0);` + "\n" + `user_pref("toolkit.telemetry.enabled", false);` + "\n" +
		`user_pref("network.captive-portal-service.enabled", false);` + "\n" + `user_pref("app.normandy.enabled", false);` + "\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is ended
		close(ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	f := &firefox{t: t}
	var port []byte
	for tick := time.NewTicker(100 * time.Millisecond); len(port) == 0; <-tick.C {
		select {
		case <-ended:
			t.Fatal("firefox has ended")
		default:
			port, _ = os.ReadFile(filepath.Join(profile, "MarionetteActivePort")) // not there yet
		}
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	f.conn, f.in = conn, bufio.NewReader(conn)
	f.read() // the greeting
	f.do("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{}})
	f.do("WebDriver:SetTimeouts", map[string]any{"script": 60000, "pageLoad": 60000})
	return f
}

func (f *firefox) read() []byte {
	f.t.Helper()
	length, err := f.in.ReadString(':')
	if err != nil {
		f.t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		f.t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(f.in, text); err != nil {
		f.t.Fatal(err)
	}
	return text
}

// do carries out a command and returns its result.
func (f *firefox) do(command string, parameters any) json.RawMessage {
	f.t.Helper()
	f.last++
	text, err := json.Marshal([]any{0, f.last, command, parameters})
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(text), text); err != nil {
		f.t.Fatal(err)
	}
	var answer [4]json.RawMessage // 1, the number, the error, the result
	if err := json.Unmarshal(f.read(), &answer); err != nil {
		f.t.Fatal(err)
	}
	if string(answer[2]) != "null" {
		f.t.Fatalf("%s: %s", command, answer[2])
	}
	return answer[3]
}

// wait waits until an expression is true.
func (f *firefox) wait(expr string) {
	f.t.Helper()
	result := f.do("WebDriver:ExecuteAsyncScript", map[string]any{"args": []any{}, "script": fmt.Sprintf(`
		const done = arguments[0], began = Date.now();
		(async function look() {
			let ok = false;
			try { ok = %s; } catch { /* not there yet */ }
			if (ok) done('');
			else if (Date.now() - began > 50000) done(document.body.innerText.slice(0, 500) || 'nothing');
			else setTimeout(look, 50);
		})();`, expr)})
	var got struct{ Value string }
	if err := json.Unmarshal(result, &got); err != nil || got.Value != "" {
		f.t.Fatalf("%s did not become true; the page says: %s %v", expr, got.Value, err)
	}
}

// click clicks the first element that a selector finds.
func (f *firefox) click(selector string) {
	f.t.Helper()
	var found struct{ Value map[string]string }
	if err := json.Unmarshal(f.do("WebDriver:FindElement", map[string]any{"using": "css selector", "value": selector}), &found); err != nil {
		f.t.Fatal(err)
	}
	for _, id := range found.Value {
		f.do("WebDriver:ElementClick", map[string]any{"id": id})
	}
}

// key presses a key.
func (f *firefox) key(key string) {
	f.t.Helper()
	f.do("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": []any{
		map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "keyUp", "value": key},
	}}}})
}

// In Firefox a game is played, continues after the page was loaded again, and is solved; and a chart runs in
// the playground.
func TestFirefox(t *testing.T) {
	f := startFirefox(t)
	f.do("WebDriver:Navigate", map[string]any{"url": siteURL(t) + "/#" + puzzle(0, 40)})
	f.wait(`document.querySelector('#dialog').open`)
	f.click("#dialog button")
	f.wait(`!document.querySelector('#dialog').open && (document.documentElement.dataset.state === 'playing' || !document.querySelector('#cover').hidden)`)
	start := func() {
		if string(f.do("WebDriver:ExecuteScript", map[string]any{"args": []any{}, "script": `return document.querySelector('#cover').hidden`})) != `{"value":true}` {
			f.click("#cover")
		}
		f.wait(`document.documentElement.dataset.state === 'playing'`)
	}
	start()
	f.click("#c40")
	f.key(solution[40:41])
	f.wait(`document.querySelector('#c40').textContent === '` + solution[40:41] + `'`)
	f.wait(`navigator.serviceWorker.controller`)
	f.do("WebDriver:Refresh", map[string]any{})
	f.wait(ready)
	start()
	f.wait(`document.querySelector('#c40').textContent === '` + solution[40:41] + `'`)
	f.click("#c0")
	f.key(solution[:1])
	f.wait(`document.documentElement.dataset.state === 'solved'`)

	f.do("WebDriver:Navigate", map[string]any{"url": siteURL(t) + "/playground/"})
	f.wait(active + ` === 'locked'`)
	f.wait(`(() => { const button = [...` + inspector + `.querySelectorAll('button')].find(one => one.textContent === 'coin'); button.click(); return true; })()`)
	f.wait(active + ` === 'open'`)
}
