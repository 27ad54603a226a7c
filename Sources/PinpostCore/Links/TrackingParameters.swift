/// Query parameters that say where a click came from and change nothing about the page.
enum TrackingParameters {
    /// Whether a parameter is one of them on this host; both in lower case.
    static func contains(_ name: String, on host: String) -> Bool {
        if everywhere.contains(name) || prefixes.contains(where: { name.hasPrefix($0) }) { return true }
        return onHosts.contains { domain, names in
            (host == domain || host.hasSuffix("." + domain)) && names.contains(name)
        }
    }

    private static let prefixes = ["utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "stm_", "vero_", "itm_"]

    private static let everywhere: Set<String> = [
        // advertisers' click ids
        "fbclid", "gclid", "gclsrc", "gbraid", "wbraid", "dclid", "msclkid", "yclid", "ysclid", "twclid", "ttclid",
        "li_fat_id", "epik", "irclickid", "irgwc", "rb_clickid", "s_cid", "srsltid", "_openstat", "wickedid", "zanpid",
        // mail and marketing systems
        "mc_cid", "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking", "mkt_tok", "oly_anon_id",
        "oly_enc_id", "_ke", "_kx", "trk_contact", "trk_msg", "trk_module", "trk_sid", "ml_subscriber",
        "ml_subscriber_hash", "ck_subscriber_id", "sc_campaign", "sc_channel", "sc_content", "sc_medium", "sc_outcome",
        "sc_geo", "sc_country", "bsft_clkid", "bsft_uid", "dm_i", "elqtrackid", "elqtrack", "vgo_ee", "sb_referer_host",
        // analytics and share buttons
        "igshid", "igsh", "__twitter_impression", "_branch_match_id", "_branch_referrer", "guce_referrer",
        "guce_referrer_sig", "guccounter", "soc_src", "soc_trk", "xtor", "echobox", "at_medium", "at_campaign",
        "at_custom1", "at_custom2", "at_custom3", "at_custom4", "ns_mchannel", "ns_source", "ns_campaign",
        "ns_linkname", "ns_fee", "cmpid", "ncid", "ref_url", "_ga", "_gl", "wt_mc", "wt.mc_id", "wtrid", "mibextid",
        "share_source", "spm", "amp_js_v", "usqp",
    ]

    /// Short names that mean something else on other hosts.
    private static let onHosts: [String: Set<String>] = [
        "youtube.com": ["si", "feature", "pp", "ab_channel", "kw", "embeds_referring_euri"],
        "youtu.be": ["si", "feature", "ab_channel"],
        "spotify.com": ["si", "nd", "dlsi", "sp_cid"],
        "twitter.com": ["s", "t", "ref_src", "ref_url", "cn", "refsrc"],
        "x.com": ["s", "t", "ref_src", "ref_url", "cn"],
        "reddit.com": ["rdt", "share_id", "ref", "ref_source", "ref_campaign", "context_referrer", "correlation_id"],
        "tiktok.com": [
            "_r", "_t", "is_from_webapp", "sender_device", "web_id", "is_copy_url", "sec_user_id", "u_code",
        ],
        "instagram.com": ["ig_rid", "ig_mid"],
        "facebook.com": ["__tn__", "__xts__", "refid", "refsrc", "rdid", "fref", "hc_ref", "acontext", "eid", "paipv"],
        "linkedin.com": ["trk", "trackingid", "refid", "lipi", "licu", "midtoken", "midsig", "rcm"],
        "pinterest.com": ["sender", "sfo", "invite_code", "e_t", "mt"],
        "medium.com": ["source"],
        "etsy.com": [
            "click_key", "click_sum", "ref", "organic_search_click", "ga_order", "ga_search_type", "ga_view_type",
            "ga_search_query", "frs", "sts", "content_source",
        ],
        "ebay.com": [
            "_trkparms", "_trksid", "hash", "amdata", "mkcid", "mkrid", "mkevt", "campid", "toolid", "customid",
        ],
        "aliexpress.com": ["algo_pvid", "algo_expid", "btsid", "ws_ab_test", "scm", "aff_trace_key", "gatewayadapt"],
        "imdb.com": ["ref_", "pf_rd_m", "pf_rd_p", "pf_rd_r", "pf_rd_s", "pf_rd_t", "pf_rd_i"],
        "nytimes.com": ["smtyp", "smid", "emc", "partner", "referringsource"],
        "bilibili.com": ["vd_source", "spm_id_from", "from_source", "share_medium", "share_plat", "share_tag", "bbid"],
        "flipkart.com": ["lid", "otracker", "ssid", "iid"],
        "amazon.com": amazon, "amazon.de": amazon, "amazon.co.uk": amazon, "amazon.fr": amazon, "amazon.it": amazon,
        "amazon.es": amazon, "amazon.co.jp": amazon, "amazon.ca": amazon, "amazon.in": amazon, "amazon.nl": amazon,
        "amazon.com.au": amazon, "amazon.com.br": amazon, "amazon.com.mx": amazon, "amazon.pl": amazon,
        "amazon.se": amazon,
    ]

    private static let amazon: Set<String> = [
        "ref", "ref_", "qid", "sr", "sprefix", "crid", "dib", "dib_tag", "pf_rd_p", "pf_rd_r", "pd_rd_w", "pd_rd_wg",
        "pd_rd_r", "pd_rd_i", "content-id", "_encoding", "linkcode", "tag", "linkid", "ascsubtag", "creative",
        "camp", "dchild", "cv_ct_cx", "smid",
    ]
}
