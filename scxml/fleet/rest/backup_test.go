package rest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

func TestBackup(t *testing.T) {
	if a := newRig(t, rigConfig{}).do("GET", "/v1/backup", ""); a.status != 404 {
		t.Errorf("a server without backups answers %d: %s", a.status, a.body)
	}
	copied := func(w io.Writer) error {
		_, err := io.WriteString(w, "all sessions")
		return err
	}
	r := newRig(t, rigConfig{rest: rest.Config{Backup: copied}})
	if a := r.do("GET", "/v1/backup", "", as(adminSecret)); a.status != 200 || string(a.body) != "all sessions" {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	if a := r.do("GET", "/v1/backup", "", as(readSecret)); a.status != 403 {
		t.Errorf("a token that may only read gets status %d", a.status)
	}
	r = newRig(t, rigConfig{rest: rest.Config{Backup: func(io.Writer) error { return errDisk }}})
	if a := r.do("GET", "/v1/backup", ""); a.status != 503 {
		t.Errorf("a backup that fails: status %d: %s", a.status, a.body)
	}
}

// A client cannot take the first part of a backup for the whole.
func TestBackupThatBreaksOff(t *testing.T) {
	r := newRig(t, rigConfig{rest: rest.Config{Backup: func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("some sessions", 10_000)); err != nil {
			return err
		}
		return errDisk
	}}})
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.server.URL+"/v1/backup", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+allSecret)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("%d bytes were read without an error", len(text))
	}
}
