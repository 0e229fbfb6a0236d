package postgres

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

// The URL's sslmode says whether the connections are encrypted and the server proves who it is, and the password
// comes from a file.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	root, passwords := filepath.Join(t.TempDir(), "root.pem"), filepath.Join(t.TempDir(), "pgpass")
	for name, text := range map[string]string{root: string(cert), passwords: "*:*:*:fleet:hush\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	server := pgtest.Start(t)
	server.SQL(fmt.Sprintf(`CREATE ROLE fleet LOGIN PASSWORD 'hush'; CREATE DATABASE orders OWNER fleet;
		ALTER SYSTEM SET ssl_cert_file = '%s'; ALTER SYSTEM SET ssl_key_file = '%s'; ALTER SYSTEM SET ssl = on; ALTER SYSTEM SET hba_file = '%s'`,
		server.Put("cert.pem", cert), server.Put("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		server.Put("hba", []byte("local all postgres trust\nhostssl all fleet 127.0.0.1/32 scram-sha-256\n"))))
	server.Stop()
	server.Restart()

	t.Setenv("PGPASSFILE", passwords)
	_, port, _ := strings.Cut(server.Address(), ":")
	at := func(host, query string) string {
		return fmt.Sprintf("postgres://fleet@%s:%s/orders?%s", host, port, query)
	}
	for _, query := range []string{"sslmode=verify-full&sslrootcert=" + url.QueryEscape(root), "sslmode=require", ""} {
		s := mustOpen(t, at("127.0.0.1", query), Options{})
		var encrypted int
		err := s.pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = 'fleet'").Scan(&encrypted)
		if err != nil || encrypted < 2 { // that of the writer, and that of this query
			t.Errorf("%s: %d encrypted connections, %v", query, encrypted, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for host, queries := range map[string]map[string]string{
		"127.0.0.1": {"sslmode=disable": "no pg_hba.conf entry", "sslmode=verify-full": "unknown authority"},
		"localhost": {"sslmode=verify-full&sslrootcert=" + url.QueryEscape(root): "localhost"}, // the certificate has another name
	} {
		for query, want := range queries {
			if _, err := Open(t.Context(), at(host, query), Options{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("%s, %s: Open returns %v, want an error with %q", host, query, err, want)
			}
		}
	}
}
