package referee

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	pb "irish.example/referee/refereepb"
)

// authority makes an authority that vouches for a server on loopback: its certificate in PEM, and the server's.
func authority(t *testing.T) ([]byte, tls.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority"}, IsCA: true,
		BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	written := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	return written, tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}
}

func TestAServerBehindTLSIsReachedByWhoTrustsItsAuthorityOnly(t *testing.T) {
	trusted, certificate := authority(t)
	stranger, _ := authority(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(&certificate)))
	pb.RegisterTableServiceServer(server, &scriptedTables{t: t, table: &pb.TableState{TableId: "behind TLS"}})
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	defer serving.Wait()
	defer server.Stop()
	once := Backoff{First: time.Millisecond, Most: time.Millisecond, Tries: 1}
	for name, ca := range map[string][]byte{"trusted": trusted, "stranger": stranger, "": nil} {
		to := At(listener.Addr().String())
		if ca != nil {
			if to.TLS, err = TrustCA(ca); err != nil {
				t.Fatal(err)
			}
		}
		table, err := GetTable(t.Context(), to, "any", once)
		if (err == nil) != (name == "trusted") || (err == nil && table.GetTableId() != "behind TLS") {
			t.Errorf("%q: %v %v", name, table, err)
		}
		if err != nil {
			wantError[*ConnectionLostError](t, err)
			same(t, "code", status.Code(err), codes.Unavailable)
		}
	}
	if _, err := TrustCA(bytes.Repeat([]byte{'x'}, 9)); err == nil {
		t.Error("garbage is an authority")
	}
}

func TestTheWaitBeforeAnAttemptStaysWithinItsBounds(t *testing.T) {
	backoff := Backoff{First: 100 * time.Millisecond, Most: 350 * time.Millisecond, Tries: 9}
	for failures, longest := range map[int]time.Duration{
		1: 100 * time.Millisecond, 2: 200 * time.Millisecond, 3: 350 * time.Millisecond, 1 << 40: 350 * time.Millisecond,
	} {
		for range 100 {
			if wait := backoff.delay(failures); wait < longest/2 || wait > longest {
				t.Errorf("after %d failures: %v", failures, wait)
			}
		}
	}
	retry := newRetry(backoff)
	for attempt := range 20 { // a server that answers is tried for ever, ever more slowly until something happens
		wait, err := retry.next(nil, true, attempt == 10)
		if err != nil || (attempt == 10 && wait > 100*time.Millisecond) || (attempt == 9 && wait < 175*time.Millisecond) {
			t.Error(attempt, wait, err)
		}
	}
}
