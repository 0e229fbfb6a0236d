package servertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

// An authority signs certificates.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// issue writes NAME.pem and NAME-key.pem: for this machine, or for the authority itself if there is none yet.
func (a *authority) issue(name string) (cert, key string) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
	}
	if a.cert == nil {
		template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
		a.cert, a.key = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, private.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+"-key.pem")
	write(a.t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(a.t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
	return cert, key
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// works opens a store, writes and reads.
func works(t *testing.T, url string) {
	t.Helper()
	s, err := jetstream.Open(t.Context(), url, jetstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := fmt.Sprint("k", stores.Add(1))
	if err := put(t, s, key, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context(), key); err != nil {
		t.Error(err)
	}
}

// A store is kept in servers that want TLS, and certificates of their clients, with the settings of the URL alone.
func TestTLS(t *testing.T) {
	a := &authority{t: t, dir: t.TempDir()}
	ca, _ := a.issue("ca")
	cert, key := a.issue("server")
	clientCert, clientKey := a.issue("client")
	strange := &authority{t: t, dir: t.TempDir()}
	strangeCA, _ := strange.issue("ca")
	strangeCert, strangeKey := strange.issue("client")
	t.Setenv("NATS_SYSTEM", System)

	block := fmt.Sprintf("cert_file: %q, key_file: %q", cert, key)
	c := Start(t, Options{Config: "tls { " + block + " }", Connect: []nats.Option{nats.RootCAs(ca)}})
	url := fmt.Sprintf("tls://%s@%s/encrypted?replicas=1&shards=1", User, c.Nodes[0].Address())
	works(t, url+"&tls-ca="+ca)
	works(t, "nats"+url[len("tls"):]+"&tls-ca="+ca)
	refused(t, url, jetstream.Options{}, nil, "certificate signed by unknown authority")
	refused(t, url+"&tls-ca="+strangeCA, jetstream.Options{}, nil, "certificate signed by unknown authority")
	refused(t, url+"&tls-ca=none.pem", jetstream.Options{}, nil, "none.pem")

	c = Start(t, Options{
		Config:  fmt.Sprintf("tls { %s, ca_file: %q, verify: true }", block, ca),
		Connect: []nats.Option{nats.RootCAs(ca), nats.ClientCert(clientCert, clientKey)},
	})
	url = fmt.Sprintf("tls://%s@%s/mutual?replicas=1&shards=1&tls-ca=%s", User, c.Nodes[0].Address(), ca)
	works(t, fmt.Sprintf("%s&tls-cert=%s&tls-key=%s", url, clientCert, clientKey))
	// In TLS 1.3 the server refuses after the handshake of the client, which may see the end before the reason.
	refused(t, url, jetstream.Options{}, nil, "certificate required", "closed by remote after TLS handshake")
	refused(t, fmt.Sprintf("%s&tls-cert=%s&tls-key=%s", url, strangeCert, strangeKey), jetstream.Options{}, nil,
		"unknown certificate authority", "closed by remote after TLS handshake")

	plain := Start(t, Options{})
	refused(t, fmt.Sprintf("tls://%s@%s/x?replicas=1", User, plain.Nodes[0].Address()), jetstream.Options{}, nats.ErrSecureConnWanted, "")
}

// A store is kept in servers whose users have credentials that an operator has signed: the file of the URL or
// of the environment.
func TestCredentials(t *testing.T) {
	dir := t.TempDir()
	pair := func(make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		key, err := make()
		if err != nil {
			t.Fatal(err)
		}
		public, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return key, public
	}
	signed := func(c jwt.Claims, by nkeys.KeyPair) string {
		text, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorID := pair(nkeys.CreateOperator)
	operatorClaims := jwt.NewOperatorClaims(operatorID)
	// account makes an account and a file of credentials of a user of it.
	account := func(name string, stores bool) (id, claims, creds string) {
		key, id := pair(nkeys.CreateAccount)
		accountClaims := jwt.NewAccountClaims(id)
		accountClaims.Name = name
		if stores {
			accountClaims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
		}
		user, userID := pair(nkeys.CreateUser)
		userClaims := jwt.NewUserClaims(userID)
		seed, err := user.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(signed(userClaims, key), seed)
		if err != nil {
			t.Fatal(err)
		}
		creds = filepath.Join(dir, name+".creds")
		write(t, creds, text)
		return id, signed(accountClaims, operator), creds
	}
	sys, sysClaims, sysCreds := account("sys", false)
	fleet, fleetClaims, fleetCreds := account("fleet", true)
	operatorClaims.SystemAccount = sys
	c := Start(t, Options{
		Accounts: fmt.Sprintf("operator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: { %s: %s, %[2]s: %[5]s }",
			signed(operatorClaims, operator), sys, fleet, fleetClaims, sysClaims),
		Connect: []nats.Option{nats.UserCredentials(fleetCreds)},
	})
	url := fmt.Sprintf("nats://%s/signed?replicas=1&shards=1", c.Nodes[0].Address())
	t.Setenv("NATS_SYSTEM", sysCreds)
	works(t, url+"&creds="+fleetCreds)
	refused(t, url, jetstream.Options{}, nats.ErrAuthorization, "the file of creds")
	refused(t, url+"&creds=none.creds", jetstream.Options{}, nil, "none.creds")
	t.Setenv("NATS_CREDS", fleetCreds)
	works(t, url)
	t.Setenv("NATS_SYSTEM", fleetCreds)
	refused(t, url, jetstream.Options{}, nil, "is NATS_SYSTEM a user of the system account?")
	t.Setenv("NATS_SYSTEM", "")
	works(t, url+"&sync=unchecked")
}
