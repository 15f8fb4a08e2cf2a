<?php
class TrustProxies
{
    protected $proxies = ['10.0.0.0/8'];
}
