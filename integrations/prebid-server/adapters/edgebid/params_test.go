package edgebid

import (
	"encoding/json"
	"testing"

	"github.com/prebid/prebid-server/v4/openrtb_ext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParams(t *testing.T) {
	validator, err := openrtb_ext.NewBidderParamsValidator("../../static/bidder-params")
	require.NoError(t, err)

	for _, valid := range []string{
		`{"ssp": "prebid"}`,
		`{"ssp": "Prebid_eu-1.a"}`,
		`{"ssp": "prebid", "placement": "home-top"}`,
	} {
		assert.NoError(t, validator.Validate(openrtb_ext.BidderEdgebid, json.RawMessage(valid)), valid)
	}

	for _, invalid := range []string{
		``,
		`null`,
		`"prebid"`,
		`[]`,
		`{}`,
		`{"placement": "home-top"}`,
		`{"ssp": ""}`,
		`{"ssp": 7}`,
		`{"ssp": "a/b"}`,
		`{"ssp": "a b"}`,
		`{"ssp": "prebid", "placement": ""}`,
		`{"ssp": "prebid", "placement": 7}`,
	} {
		assert.Error(t, validator.Validate(openrtb_ext.BidderEdgebid, json.RawMessage(invalid)), invalid)
	}
}
