// Package edgebid sends auctions to an edgebid bidder.
//
// It forwards the request as Prebid Server made it. It moves only the parameters of the publisher: the id of the
// exchange goes into the URL, and the placement into imp.tagid. It never changes markup or prices: the bidder fills
// the macros itself.
package edgebid

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"text/template"

	"github.com/prebid/openrtb/v20/openrtb2"
	"github.com/prebid/prebid-server/v4/adapters"
	"github.com/prebid/prebid-server/v4/config"
	"github.com/prebid/prebid-server/v4/errortypes"
	"github.com/prebid/prebid-server/v4/macros"
	"github.com/prebid/prebid-server/v4/openrtb_ext"
	"github.com/prebid/prebid-server/v4/util/jsonutil"
)

type adapter struct {
	endpoint *template.Template
	headers  http.Header
}

// extraInfo is the JSON that a host of Prebid Server may write into adapters.edgebid.extra_info.
type extraInfo struct {
	// Token is the bearer token that the buyer gave to this host.
	Token string `json:"token"`
}

// Builder makes the adapter from the host's configuration. It fails if the endpoint is not a template, or if
// extra_info is not JSON.
func Builder(_ openrtb_ext.BidderName, config config.Adapter, _ config.Server) (adapters.Bidder, error) {
	endpoint, err := template.New("endpoint").Parse(config.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("endpoint is not a URL template: %w", err)
	}
	headers := http.Header{
		"Content-Type":      {"application/json"},
		"Accept":            {"application/json"},
		"X-Openrtb-Version": {"2.6"},
	}
	if config.ExtraAdapterInfo != "" {
		var extra extraInfo
		if err := jsonutil.Unmarshal([]byte(config.ExtraAdapterInfo), &extra); err != nil {
			return nil, fmt.Errorf("extra_info is not JSON: %w", err)
		}
		if extra.Token != "" {
			headers.Set("Authorization", "Bearer "+extra.Token)
		}
	}
	return &adapter{endpoint: endpoint, headers: headers}, nil
}

// MakeRequests makes one call for each exchange id that the impressions name. An impression with unreadable
// parameters is left out and reported.
func (a *adapter) MakeRequests(request *openrtb2.BidRequest, _ *adapters.ExtraRequestInfo) ([]*adapters.RequestData, []error) {
	var ssps []string
	var errs []error
	imps := make(map[string][]openrtb2.Imp)
	for _, imp := range request.Imp {
		ssp, err := takeParams(&imp)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, isKnown := imps[ssp]; !isKnown {
			ssps = append(ssps, ssp)
		}
		imps[ssp] = append(imps[ssp], imp)
	}

	calls := make([]*adapters.RequestData, 0, len(ssps))
	for _, ssp := range ssps {
		call, err := a.makeCall(*request, ssp, imps[ssp])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		calls = append(calls, call)
	}
	return calls, errs
}

func (a *adapter) makeCall(request openrtb2.BidRequest, ssp string, imps []openrtb2.Imp) (*adapters.RequestData, error) {
	uri, err := macros.ResolveMacros(a.endpoint, macros.EndpointTemplateParams{SspID: url.PathEscape(ssp)})
	if err != nil {
		return nil, err
	}
	request.Imp = imps
	body, err := jsonutil.Marshal(request)
	if err != nil {
		return nil, err
	}
	return &adapters.RequestData{
		Method:  http.MethodPost,
		Uri:     uri,
		Body:    body,
		Headers: a.headers,
		ImpIDs:  openrtb_ext.GetImpIDs(imps),
	}, nil
}

// takeParams returns the exchange id of an impression. It removes the publisher's parameters from imp.ext, keeps the
// rest of it (gpid, data, skadn), and writes the placement into an empty imp.tagid.
func takeParams(imp *openrtb2.Imp) (string, error) {
	var ext map[string]json.RawMessage
	if err := jsonutil.Unmarshal(imp.Ext, &ext); err != nil {
		return "", &errortypes.BadInput{Message: fmt.Sprintf("imp %q: ext is unreadable: %s", imp.ID, err)}
	}
	var params openrtb_ext.ExtImpEdgebid
	if err := jsonutil.Unmarshal(ext["bidder"], &params); err != nil {
		return "", &errortypes.BadInput{Message: fmt.Sprintf("imp %q: parameters are unreadable: %s", imp.ID, err)}
	}
	if imp.TagID == "" {
		imp.TagID = params.Placement
	}

	delete(ext, "bidder")
	imp.Ext = nil
	if len(ext) > 0 {
		rest, err := jsonutil.Marshal(ext)
		if err != nil {
			return "", err
		}
		imp.Ext = rest
	}
	return params.SSP, nil
}

// MakeBids reads an answer. A 204 and a 200 without bids are no-bids. A bid without a known mtype is left out and
// reported.
func (a *adapter) MakeBids(request *openrtb2.BidRequest, _ *adapters.RequestData, answer *adapters.ResponseData) (*adapters.BidderResponse, []error) {
	if adapters.IsResponseStatusCodeNoContent(answer) {
		return nil, nil
	}
	if err := adapters.CheckResponseStatusCodeForErrors(answer); err != nil {
		return nil, []error{err}
	}
	var response openrtb2.BidResponse
	if err := jsonutil.Unmarshal(answer.Body, &response); err != nil {
		return nil, []error{&errortypes.BadServerResponse{Message: fmt.Sprintf("response is unreadable: %s", err)}}
	}

	var errs []error
	bids := adapters.NewBidderResponseWithBidsCapacity(len(request.Imp))
	if response.Cur != "" {
		bids.Currency = response.Cur
	}
	for _, seatBid := range response.SeatBid {
		for i := range seatBid.Bid {
			bid := &seatBid.Bid[i]
			bidType, err := mediaTypeOf(bid)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			typed := &adapters.TypedBid{Bid: bid, BidType: bidType}
			if bidType == openrtb_ext.BidTypeVideo {
				typed.BidVideo = &openrtb_ext.ExtBidPrebidVideo{Duration: int(bid.Dur), PrimaryCategory: primaryCategory(bid)}
			}
			bids.Bids = append(bids.Bids, typed)
		}
	}
	return bids, errs
}

// primaryCategory chooses among several categories, because Prebid Server drops a bid that leaves the choice to it. A
// single one is left to Prebid Server, which may translate it for the ad server.
func primaryCategory(bid *openrtb2.Bid) string {
	if len(bid.Cat) < 2 {
		return ""
	}
	return bid.Cat[0]
}

func mediaTypeOf(bid *openrtb2.Bid) (openrtb_ext.BidType, error) {
	switch bid.MType {
	case openrtb2.MarkupBanner:
		return openrtb_ext.BidTypeBanner, nil
	case openrtb2.MarkupVideo:
		return openrtb_ext.BidTypeVideo, nil
	case openrtb2.MarkupAudio:
		return openrtb_ext.BidTypeAudio, nil
	case openrtb2.MarkupNative:
		return openrtb_ext.BidTypeNative, nil
	default:
		return "", &errortypes.BadServerResponse{Message: fmt.Sprintf("bid %q has no known mtype: %d", bid.ID, bid.MType)}
	}
}
