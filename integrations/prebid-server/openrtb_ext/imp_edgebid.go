package openrtb_ext

// ExtImpEdgebid is imp.ext.prebid.bidder.edgebid: what a publisher sets for an impression.
type ExtImpEdgebid struct {
	// SSP is the id of the exchange in the buyer's catalog.
	SSP string `json:"ssp"`
	// Placement becomes imp.tagid if the impression has none.
	Placement string `json:"placement,omitempty"`
}
