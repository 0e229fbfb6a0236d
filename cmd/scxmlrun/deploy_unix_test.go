//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// deployed are the command lines of the files of deploy, after the name of the program.
var deployed = []struct {
	file string
	args func(t *testing.T, text string) []string
}{
	{"scxmlrun.service", func(t *testing.T, text string) []string {
		return strings.Fields(submatch(t, `(?m)^ExecStart=/usr/local/bin/scxmlrun (.*)$`, text))
	}},
	{"Containerfile", func(t *testing.T, text string) (args []string) {
		if err := json.Unmarshal([]byte(submatch(t, `(?m)^CMD (.*)$`, text)), &args); err != nil {
			t.Fatal(err)
		}
		return args
	}},
}

func submatch(t *testing.T, pattern, text string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no line %s", pattern)
	}
	return m[1]
}

func deployFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the unit and the image start, starts, in other folders and at another port.
func TestDeployedCommandsStart(t *testing.T) {
	here := strings.NewReplacer("/etc/scxmlrun", "etc", "/var/lib/scxmlrun", "state", "/data", "state", ":8420", "127.0.0.1:0")
	for _, d := range deployed {
		t.Run(d.file, func(t *testing.T) {
			args := d.args(t, deployFile(t, d.file))
			if args[0] != "serve" {
				t.Fatalf("it runs %q", args)
			}
			s := newServed(t)
			s.certify()
			s.put("tokens", "app send "+strings.Repeat("a", 20)+"\n")
			charts := filepath.Join(s.folder, "etc", "charts")
			if err := os.MkdirAll(charts, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"order.scxml", "price.js", "tokens", "cert.pem", "key.pem"} {
				to := filepath.Join(s.folder, "etc", name)
				if name == "order.scxml" || name == "price.js" {
					to = filepath.Join(charts, name)
				}
				if err := os.Rename(filepath.Join(s.folder, name), to); err != nil {
					t.Fatal(err)
				}
			}
			for i := range args {
				args[i] = here.Replace(args[i])
			}
			s.start(args[1:]...)
			if status := s.end(syscall.SIGTERM); status != 0 {
				t.Errorf("exit status %d; standard error: %s", status, s.logged())
			}
		})
	}
}

// systemd understands the unit.
func TestUnitIsValid(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd here")
	}
	unit := filepath.Join(t.TempDir(), "scxmlrun.service")
	text := strings.ReplaceAll(deployFile(t, "scxmlrun.service"), "/usr/local/bin/scxmlrun", binary)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(verify, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
