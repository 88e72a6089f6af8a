package edgebid

import (
	"testing"

	"github.com/prebid/openrtb/v20/openrtb2"
	"github.com/prebid/prebid-server/v4/adapters"
	"github.com/prebid/prebid-server/v4/adapters/adapterstest"
	"github.com/prebid/prebid-server/v4/config"
	"github.com/prebid/prebid-server/v4/openrtb_ext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const testEndpoint = "https://bidder.example/bid/{{.SspID}}"

func TestJsonSamples(t *testing.T) {
	adapterstest.RunJSONBidderTest(t, "edgebidtest", build(t, config.Adapter{Endpoint: testEndpoint}))
}

func TestTokenOfTheHost(t *testing.T) {
	assert.Equal(t, "Bearer let-me-in", authorization(t, `{"token":"let-me-in"}`))
	assert.Empty(t, authorization(t, `{}`))
	assert.Empty(t, authorization(t, ""))
}

func TestBuilderRefuses(t *testing.T) {
	for name, wrong := range map[string]config.Adapter{
		"a broken template":   {Endpoint: "https://bidder.example/bid/{{.SspID"},
		"a broken extra_info": {Endpoint: testEndpoint, ExtraAdapterInfo: "let-me-in"},
	} {
		_, err := Builder(openrtb_ext.BidderEdgebid, wrong, config.Server{})
		assert.Error(t, err, name)
	}
}

func TestEndpointWithAnUnknownMacro(t *testing.T) {
	bidder := build(t, config.Adapter{Endpoint: "https://bidder.example/bid/{{.Nothing}}"})
	calls, errs := bidder.MakeRequests(request(), &adapters.ExtraRequestInfo{})
	assert.Empty(t, calls)
	assert.Len(t, errs, 1)
}

func authorization(t *testing.T, extra string) string {
	t.Helper()
	bidder := build(t, config.Adapter{Endpoint: testEndpoint, ExtraAdapterInfo: extra})
	calls, errs := bidder.MakeRequests(request(), &adapters.ExtraRequestInfo{})
	require.Empty(t, errs)
	require.Len(t, calls, 1)
	return calls[0].Headers.Get("Authorization")
}

func request() *openrtb2.BidRequest {
	return &openrtb2.BidRequest{ID: "1", Imp: []openrtb2.Imp{{ID: "1", Ext: []byte(`{"bidder":{"ssp":"prebid"}}`)}}}
}

func build(t *testing.T, adapter config.Adapter) adapters.Bidder {
	t.Helper()
	bidder, err := Builder(openrtb_ext.BidderEdgebid, adapter, config.Server{})
	require.NoError(t, err)
	return bidder
}
